package io.fairlead.containers;

import io.fairlead.api.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The images that this node has, as `skopeo` fetched and `umoci` unpacked them.
///
/// ```
/// layout/                 an OCI layout: blobs by their content, shared by all images
/// index.json              which image is which content
/// roots/DIGEST/rootfs     the files of one image; no container ever writes here
/// roots/DIGEST/image.json what it says of its program
/// ```
public final class ImageStore {
    private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);
    private static final long TOUCH_SECONDS = 60;
    private static final String INDEX = "index.json";

    private final Path folder;
    private final List<String> options;
    private final ReentrantLock lock = new ReentrantLock();

    /// `options` are words for skopeo before its command, such as the file with mirrors.
    public ImageStore(Path folder, List<String> options) {
        this.folder = folder;
        this.options = List.copyOf(options);
        Folders.make(folder, "rwx------");
        Folders.make(folder.resolve("roots"), "rwx------");
    }

    /// By the policy `Always`, `IfNotPresent` or `Never`.
    ImageAnswer find(String image, String policy, PullSecrets secrets, Runnable pulling) throws InterruptedException {
        String name = ImageName.full(image);
        Optional<RunnableImage> known = known(name);
        if (known.isPresent() && (!policy.equals("Always") || isLoaded(name))) {
            touch(name);
            return new ImageAnswer.Found(known.get());
        }
        if (policy.equals("Never")) {
            return new ImageAnswer.Missing(
                    "ErrImageNeverPull",
                    "Container image \"%s\" is not present with pull policy of Never".formatted(image));
        }
        pulling.run();
        try {
            return new ImageAnswer.Found(pull(name, secrets));
        } catch (NodeException e) {
            return new ImageAnswer.Missing(
                    "ErrImagePull", "failed to pull image \"%s\": %s".formatted(image, e.getMessage()));
        }
    }

    /// The image by its full name, and the content it has.
    public Map<String, String> list() {
        Map<String, String> images = new TreeMap<>();
        index().propertyStream().forEach(entry -> images.put(entry.getKey(), Json.text(entry.getValue(), "digest")));
        return images;
    }

    /// Takes the images of a file: an OCI archive, or what `docker save` writes. Gives their names: `name`, or where
    /// that is empty those that the file says.
    public List<String> load(Path file, String name) throws InterruptedException {
        List<ImageArchive.Entry> entries = new ImageArchive(file).entries();
        if (!name.isEmpty() && entries.size() > 1) {
            throw new NodeException("%s has %d images: load it without a name".formatted(file, entries.size()));
        }
        List<String> loaded = new ArrayList<>();
        try (StoreLock _ = lock()) {
            for (ImageArchive.Entry entry : entries) {
                String wanted = name.isEmpty() ? entry.name() : name;
                if (wanted.isEmpty()) {
                    throw new NodeException("%s says no name of its image: give one".formatted(file));
                }
                copy(entry.source(), ImageName.full(wanted), List.of());
                unpack(ImageName.full(wanted), true);
                loaded.add(ImageName.full(wanted));
            }
        }
        return loaded;
    }

    /// Lets go of images, to win so many bytes; none whose content is in `used`. Gives their names.
    public List<String> collect(Set<String> used, long bytes) throws InterruptedException {
        try (StoreLock _ = lock()) {
            List<String> victims = ImageCollection.victims(stored(), used, bytes, Instant.now());
            for (String name : victims) {
                remove(name);
                LOG.info("event=image-removed image={} reason=\"the disk is nearly full\"", name);
            }
            if (!victims.isEmpty()) {
                run(List.of("/usr/bin/umoci", "gc", "--layout", layout().toString()));
            }
            return victims;
        }
    }

    private List<ImageCollection.Stored> stored() {
        ObjectNode index = index();
        return index.propertyStream()
                .map(entry -> new ImageCollection.Stored(
                        entry.getKey(),
                        Json.text(entry.getValue(), "digest"),
                        Folders.bytes(root(Json.text(entry.getValue(), "digest"))),
                        Instant.ofEpochSecond(Json.number(entry.getValue(), 0, "asked")),
                        Json.flag(entry.getValue(), false, "loaded")))
                .toList();
    }

    /// First its row, so that no pod finds half of it.
    private void remove(String name) throws InterruptedException {
        ObjectNode index = index();
        String digest = Json.text(index.path(name), "digest");
        index.remove(name);
        Folders.write(folder.resolve(INDEX), index.toString());
        run(List.of("/usr/bin/umoci", "rm", "--image", "%s:%s".formatted(layout(), ImageName.tag(name))));
        boolean last =
                index.valueStream().noneMatch(row -> Json.text(row, "digest").equals(digest));
        if (last) {
            Folders.delete(root(digest));
        }
    }

    /// Writes down that a pod asked for an image, to the minute.
    private void touch(String name) throws InterruptedException {
        long now = Instant.now().getEpochSecond();
        if (now - Json.number(index().path(name), 0, "asked") < TOUCH_SECONDS) {
            return;
        }
        try (StoreLock _ = lock()) {
            ObjectNode index = index();
            if (index.path(name) instanceof ObjectNode row) {
                row.put("asked", now);
                Folders.write(folder.resolve(INDEX), index.toString());
            }
        }
    }

    /// One layout, one writer: among the threads of this process, and among processes.
    private StoreLock lock() {
        return StoreLock.take(lock, folder.resolve("lock"));
    }

    private Path layout() {
        return folder.resolve("layout");
    }

    private Path root(String digest) {
        return folder.resolve("roots").resolve(digest.replace(':', '-'));
    }

    private RunnableImage pull(String name, PullSecrets secrets) throws InterruptedException {
        Optional<String> auth = secrets.authFile();
        try (StoreLock _ = lock()) {
            List<String> more = new ArrayList<>();
            Path file = folder.resolve("auth.json");
            if (auth.isPresent()) {
                Folders.write(file, auth.get());
                more.addAll(List.of("--src-authfile", file.toString()));
            }
            try {
                copy("docker://" + name, name, more);
            } finally {
                Folders.delete(file);
            }
            LOG.info("event=image-pulled image={}", name);
            return unpack(name, false);
        }
    }

    private void copy(String source, String name, List<String> more) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("/usr/bin/skopeo", "--insecure-policy"));
        words.addAll(options);
        words.add("copy");
        words.addAll(more);
        words.addAll(List.of("--quiet", source, "oci:%s:%s".formatted(layout(), ImageName.tag(name))));
        run(words);
    }

    /// The files of an image whose blobs are in the layout.
    private RunnableImage unpack(String name, boolean loaded) throws InterruptedException {
        String digest = digest(name);
        Path root = root(digest);
        if (!Files.exists(root.resolve("image.json"))) {
            Path draft = folder.resolve("draft");
            Folders.delete(draft);
            Folders.make(draft, "rwx------");
            try {
                run(List.of(
                        "/usr/bin/umoci",
                        "raw",
                        "unpack",
                        "--image",
                        "%s:%s".formatted(layout(), ImageName.tag(name)),
                        draft.resolve("rootfs").toString()));
                DeviceFiles.refuse(draft.resolve("rootfs"));
                Folders.write(draft.resolve("image.json"), configuration(digest).toString());
                Files.move(draft, root, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new NodeException("cannot unpack %s: %s".formatted(name, e.getMessage()), e);
            } finally {
                Folders.delete(draft);
            }
        }
        ObjectNode index = index();
        index.putObject(name)
                .put("digest", digest)
                .put("loaded", loaded)
                .put("asked", Instant.now().getEpochSecond());
        Folders.write(folder.resolve(INDEX), index.toString());
        return known(name).orElseThrow();
    }

    private Optional<RunnableImage> known(String name) {
        String digest = Json.text(index().path(name), "digest");
        Path root = root(digest);
        if (digest.isEmpty() || !Files.exists(root.resolve("image.json"))) {
            return Optional.empty();
        }
        JsonNode config = Json.parse(Folders.read(root.resolve("image.json"))).path("config");
        return Optional.of(
                new RunnableImage(ImageConfig.of(config), List.of(root.resolve("rootfs")), List.of(), digest));
    }

    private boolean isLoaded(String name) {
        return Json.flag(index().path(name), false, "loaded");
    }

    private ObjectNode index() {
        Path file = folder.resolve(INDEX);
        return Files.exists(file) ? (ObjectNode) Json.parse(Folders.read(file)) : Json.object();
    }

    /// The digest of the manifest that a tag of the layout means.
    private String digest(String name) {
        return Json.parse(Folders.read(layout().resolve(INDEX)))
                .path("manifests")
                .valueStream()
                .filter(manifest -> Json.text(manifest, "annotations", "org.opencontainers.image.ref.name")
                        .equals(ImageName.tag(name)))
                .map(manifest -> Json.text(manifest, "digest"))
                .findFirst()
                .orElseThrow(() -> new NodeException("%s is not in the layout".formatted(name)));
    }

    private JsonNode configuration(String digest) {
        return blob(Json.text(blob(digest), "config", "digest"));
    }

    private JsonNode blob(String digest) {
        return Json.parse(Folders.read(layout().resolve("blobs")
                .resolve(digest.replaceFirst(":.*", ""))
                .resolve(digest.replaceFirst(".*:", ""))));
    }

    private static void run(List<String> words) throws InterruptedException {
        RuncCommands.Result result = RuncCommands.run(words);
        if (!result.succeeded()) {
            throw new NodeException(ImageName.reason(result.output()));
        }
    }

    /// The right to change a node's images: one thread of one process at a time has it. The agent and `fairlead images
    /// load`
    /// share the folder.
    private static final class StoreLock implements AutoCloseable {
        private final ReentrantLock threads;
        private final FileChannel file;

        private StoreLock(ReentrantLock threads, FileChannel file) {
            this.threads = threads;
            this.file = file;
        }

        /// Waits for it. The kernel lets go of the file with the process.
        static StoreLock take(ReentrantLock threads, Path file) {
            threads.lock();
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                channel.lock();
                return new StoreLock(threads, channel);
            } catch (IOException e) {
                threads.unlock();
                throw new NodeException("cannot lock " + file, e);
            }
        }

        @Override
        public void close() {
            try {
                file.close();
            } catch (IOException e) {
                throw new NodeException("cannot unlock the images", e);
            } finally {
                threads.unlock();
            }
        }
    }
}
