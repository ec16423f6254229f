package io.fairlead.containers;

import io.fairlead.api.Pod;
import io.fairlead.api.Volume;
import io.fairlead.api.Volume.Projection;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The volumes of one pod as folders of this machine, filled with what the API says; and the files of its account.
///
/// It belongs to the pod's worker. Filled again every minute, files follow what they show, and tokens are renewed.
public final class VolumeFiles {
    static final Path ACCOUNT_FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    static final String ACCOUNT = "kube-api-access";
    private static final Logger LOG = LoggerFactory.getLogger(VolumeFiles.class);
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(60);

    private final ApiClient api;
    private final Path folder;
    private final Map<Path, Instant> tokensRenewal = new HashMap<>();

    public VolumeFiles(ApiClient api, Path folder) {
        this.api = api;
        this.folder = folder;
    }

    /// Fills all volumes; a [NodeException] says which one cannot be.
    public void fill(Pod pod, DownwardFields fields) throws InterruptedException {
        for (Volume volume : pod.spec().surroundings().volumes()) {
            switch (volume.source()) {
                case Volume.Source.EmptyDir _ -> makeFolder(place(volume));
                case Volume.Source.HostPath(String path, String type) -> makeHostPath(Path.of(path), type);
                case Volume.Source.Files(List<Projection> projections) ->
                    project(pod, fields, place(volume), projections);
                case Volume.Source.Unsupported(String field) ->
                    throw new NodeException("volume %s: %s is not supported here".formatted(volume.name(), field));
            }
        }
        if (pod.spec().surroundings().automountToken()) {
            fillAccount(pod);
        }
    }

    /// Where on this machine a volume is.
    Path place(Volume volume) {
        return volume.source() instanceof Volume.Source.HostPath(String path, var _)
                ? Path.of(path)
                : folder.resolve(PodNames.safe(volume.name()));
    }

    Path accountPlace() {
        return folder.resolve(ACCOUNT);
    }

    private void project(Pod pod, DownwardFields fields, Path place, List<Projection> projections)
            throws InterruptedException {
        makeFolder(place);
        for (Projection projection : projections) {
            switch (projection) {
                case Projection.Values values -> writeValues(pod, place, values);
                case Projection.Fields(Map<String, String> paths) ->
                    paths.forEach((path, field) ->
                            write(place, path, fields.find(field).orElse("").getBytes(StandardCharsets.UTF_8)));
                case Projection.Token token -> writeToken(pod, place, token);
            }
        }
    }

    private void writeValues(Pod pod, Path place, Projection.Values values) throws InterruptedException {
        Map<String, byte[]> all =
                new ConfigValues(api, pod.key().namespace()).require(values.kind(), values.object(), values.optional());
        Map<String, String> items = new LinkedHashMap<>(values.items());
        if (items.isEmpty()) {
            all.keySet().forEach(key -> items.put(key, key));
        }
        items.forEach((key, path) -> {
            byte[] value = all.get(key);
            if (value == null && !values.optional()) {
                throw new NodeException(
                        "%s %s has no key %s".formatted(values.kind().name(), values.object(), key));
            }
            if (value != null) {
                write(place, path, value);
            }
        });
    }

    /// An API that gives no tokens leaves the pod without one, as a pod that never asks for it would not notice.
    private void fillAccount(Pod pod) throws InterruptedException {
        makeFolder(accountPlace());
        write(accountPlace(), "ca.crt", api.certificateAuthority().getBytes(StandardCharsets.UTF_8));
        write(accountPlace(), "namespace", pod.key().namespace().getBytes(StandardCharsets.UTF_8));
        try {
            writeToken(pod, accountPlace(), new Projection.Token("token", "", (int) TOKEN_LIFE.toSeconds()));
        } catch (ApiException e) {
            LOG.warn("pod={} has no token: {}", pod.key(), e.getMessage());
        }
    }

    private void writeToken(Pod pod, Path place, Projection.Token wanted) throws InterruptedException {
        Path file = place.resolve(wanted.path());
        if (Instant.now().isBefore(tokensRenewal.getOrDefault(file, Instant.MIN))) {
            return;
        }
        String token = api.requestToken(pod, wanted);
        write(place, wanted.path(), token.getBytes(StandardCharsets.UTF_8));
        // At four fifths of its life, so that one that is being used never ends.
        tokensRenewal.put(file, Instant.now().plusSeconds(wanted.expirationSeconds() * 4L / 5));
    }

    private static void write(Path place, String path, byte[] content) {
        Path file = place.resolve(path).normalize();
        if (!file.startsWith(place)) {
            throw new NodeException("path %s leads out of its volume".formatted(path));
        }
        try {
            Files.createDirectories(file.getParent());
            if (!Files.exists(file) || !java.util.Arrays.equals(Files.readAllBytes(file), content)) {
                Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
                Files.write(fresh, content);
                Files.move(fresh, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new NodeException("cannot write " + file, e);
        }
    }

    private static void makeHostPath(Path path, String type) {
        if (type.equals("DirectoryOrCreate")) {
            makeFolder(path);
        }
        if (!Files.exists(path)) {
            throw new NodeException("hostPath: %s is not there".formatted(path));
        }
    }

    private static void makeFolder(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new NodeException("cannot make " + path, e);
        }
    }
}
