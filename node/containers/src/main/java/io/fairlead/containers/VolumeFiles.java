package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.api.Volume;
import io.fairlead.api.Volume.Projection;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.containers.ProjectedFolder.Content;
import io.fairlead.kernel.Mounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The volumes of one pod as folders of this machine, filled with what the API says; and the files of its account.
///
/// It belongs to the pod's worker. Filled again every minute, files follow what they show, and tokens are renewed. What
/// the API says is in memory alone (`memory`); a pod's own empty folders are on disk (`disk`).
public final class VolumeFiles {
    static final Path ACCOUNT_FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    static final String ACCOUNT = "kube-api-access";
    private static final Logger LOG = LoggerFactory.getLogger(VolumeFiles.class);
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(60);

    private final ApiClient api;
    private final ClaimedFolders claims;
    private final Path disk;
    private final Path memory;
    private final Map<String, Path> claimed = new HashMap<>(); // by volume
    private final Map<String, Token> tokens = new HashMap<>(); // by volume and path

    /// A token, and when the next one is due.
    private record Token(String text, Instant renewal) {}

    public VolumeFiles(ApiClient api, ClaimedFolders claims, Path disk, Path memory) {
        this.api = api;
        this.claims = claims;
        this.disk = disk;
        this.memory = memory;
    }

    /// Fills all volumes; a [NodeException] says which one cannot be.
    public void fill(Pod pod, DownwardFields fields) throws InterruptedException {
        for (Volume volume : pod.spec().surroundings().volumes()) {
            switch (volume.source()) {
                case Volume.Source.EmptyDir empty -> makeEmpty(pod, place(volume), empty);
                case Volume.Source.HostPath(String path, String type) -> HostPaths.require(Path.of(path), type);
                case Volume.Source.Claimed(String claim, var _) -> {
                    Path path = claims.require(pod, claim);
                    claimed.put(volume.name(), path);
                    giveToGroup(pod, path);
                }
                case Volume.Source.Files files ->
                    folder(pod, volume.name()).write(contents(pod, fields, volume.name(), files));
                case Volume.Source.Unsupported(String field) ->
                    throw new NodeException("volume %s: %s is not supported here".formatted(volume.name(), field));
            }
        }
        if (pod.spec().surroundings().automountToken()) {
            folder(pod, ACCOUNT).write(account(pod));
        }
    }

    /// Where on this machine a volume is.
    Path place(Volume volume) {
        return switch (volume.source()) {
            case Volume.Source.HostPath(String path, var _) -> Path.of(path);
            case Volume.Source.Files _ -> memory.resolve(PodNames.safe(volume.name()));
            case Volume.Source.Claimed(String claim, var _) -> {
                Path path = claimed.get(volume.name());
                if (path == null) {
                    throw new NodeException("volume %s: claim %s is not looked up".formatted(volume.name(), claim));
                }
                yield path;
            }
            case Volume.Source.EmptyDir _, Volume.Source.Unsupported _ -> disk.resolve(PodNames.safe(volume.name()));
        };
    }

    Path accountPlace() {
        return memory.resolve(ACCOUNT);
    }

    /// Forgets what is in memory, and lets go of the folders there.
    public void remove() {
        Mounts.below(disk).forEach(Mounts::detach);
        Folders.delete(memory);
    }

    private ProjectedFolder folder(Pod pod, String volume) {
        return new ProjectedFolder(memory.resolve(PodNames.safe(volume)), fsGroup(pod));
    }

    private static long fsGroup(Pod pod) {
        return pod.spec().surroundings().isolation().security().identity().fsGroup();
    }

    private static void makeEmpty(Pod pod, Path place, Volume.Source.EmptyDir empty) {
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Folders.make(place, "rwxrwxrwx");
        if (empty.memory()) {
            Mounts.memory(place, empty.sizeLimit(), "0777");
        }
        giveToGroup(pod, place);
    }

    private static void giveToGroup(Pod pod, Path place) {
        long group = fsGroup(pod);
        if (group >= 0) {
            try {
                Files.setAttribute(place, "unix:gid", (int) group);
                Files.setAttribute(place, "unix:mode", 042777);
            } catch (IOException e) {
                throw new NodeException("cannot give %s to group %d".formatted(place, group), e);
            }
        }
    }

    private Map<String, Content> contents(Pod pod, DownwardFields fields, String volume, Volume.Source.Files files)
            throws InterruptedException {
        Map<String, Content> contents = new LinkedHashMap<>();
        int mode = files.defaultMode();
        for (Projection projection : files.projections()) {
            switch (projection) {
                case Projection.Values values -> putValues(contents, pod, values, mode);
                case Projection.Fields(Map<String, String> paths) ->
                    paths.forEach((path, field) ->
                            contents.put(path, content(fields.find(field).orElse(""), mode)));
                case Projection.Token token -> contents.put(token.path(), content(token(pod, volume, token), mode));
            }
        }
        return contents;
    }

    private void putValues(Map<String, Content> contents, Pod pod, Projection.Values values, int mode)
            throws InterruptedException {
        Map<String, byte[]> all =
                new ConfigValues(api, pod.key().namespace()).require(values.kind(), values.object(), values.optional());
        if (values.items().isEmpty()) {
            all.forEach((key, value) -> contents.put(key, new Content(value, mode)));
        }
        values.items().forEach((key, item) -> {
            byte[] value = all.get(key);
            if (value == null && !values.optional()) {
                throw new NodeException(
                        "%s %s has no key %s".formatted(values.kind().name(), values.object(), key));
            }
            if (value != null) {
                contents.put(item.path(), new Content(value, item.mode() < 0 ? mode : item.mode()));
            }
        });
    }

    /// An API that gives no tokens leaves the pod without one, as a pod that never asks for it would not notice.
    private Map<String, Content> account(Pod pod) throws InterruptedException {
        Map<String, Content> contents = new LinkedHashMap<>();
        contents.put("ca.crt", content(api.certificateAuthority(), 0644));
        contents.put("namespace", content(pod.key().namespace(), 0644));
        try {
            Projection.Token wanted = new Projection.Token("token", "", (int) TOKEN_LIFE.toSeconds());
            contents.put("token", content(token(pod, ACCOUNT, wanted), 0644));
        } catch (ApiException e) {
            LOG.warn("event=token-missing pod={} reason=\"{}\"", pod.key(), e.getMessage());
        }
        return contents;
    }

    private String token(Pod pod, String volume, Projection.Token wanted) throws InterruptedException {
        String key = volume + "/" + wanted.path();
        Token known = tokens.get(key);
        if (known != null && Instant.now().isBefore(known.renewal())) {
            return known.text();
        }
        String token = api.requestToken(pod, wanted);
        // At four fifths of its life, so that one that is being used never ends.
        tokens.put(key, new Token(token, Instant.now().plusSeconds(wanted.expirationSeconds() * 4L / 5)));
        return token;
    }

    private static Content content(String text, int mode) {
        return new Content(text.getBytes(StandardCharsets.UTF_8), mode);
    }
}
