package io.fairlead.containers;

import io.fairlead.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final String INDEX = "index.json";

    private final Path folder;
    private final List<String> options;
    private final ReentrantLock lock = new ReentrantLock(); // one layout, one writer

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

    /// Takes an image from a file: an OCI archive, or what `docker save` writes. Gives its name.
    public String load(Path file, String name) throws InterruptedException {
        String full = ImageName.full(name);
        lock.lock();
        try {
            NodeException first = null;
            for (String form : List.of("oci-archive:", "docker-archive:")) {
                try {
                    copy(form + file.toAbsolutePath(), full, List.of());
                    unpack(full, true);
                    return full;
                } catch (NodeException e) {
                    first = first == null ? e : first;
                }
            }
            throw new NodeException("%s is neither an OCI archive nor a docker archive: %s"
                    .formatted(file, first == null ? "" : first.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    private RunnableImage pull(String name, PullSecrets secrets) throws InterruptedException {
        Optional<String> auth = secrets.authFile();
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
        }
    }

    private void copy(String source, String name, List<String> more) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("/usr/bin/skopeo", "--insecure-policy"));
        words.addAll(options);
        words.add("copy");
        words.addAll(more);
        words.addAll(List.of("--quiet", source, "oci:%s:%s".formatted(folder.resolve("layout"), ImageName.tag(name))));
        run(words);
    }

    /// The files of an image whose blobs are in the layout.
    private RunnableImage unpack(String name, boolean loaded) throws InterruptedException {
        String digest = digest(name);
        Path root = folder.resolve("roots").resolve(digest.replace(':', '-'));
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
                        "%s:%s".formatted(folder.resolve("layout"), ImageName.tag(name)),
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
        index.putObject(name).put("digest", digest).put("loaded", loaded);
        Folders.write(folder.resolve(INDEX), index.toString());
        return known(name).orElseThrow();
    }

    private Optional<RunnableImage> known(String name) {
        String digest = Json.text(index().path(name), "digest");
        Path root = folder.resolve("roots").resolve(digest.replace(':', '-'));
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
        return Json.parse(Folders.read(folder.resolve("layout").resolve(INDEX)))
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
        return Json.parse(Folders.read(folder.resolve("layout")
                .resolve("blobs")
                .resolve(digest.replaceFirst(":.*", ""))
                .resolve(digest.replaceFirst(".*:", ""))));
    }

    private static void run(List<String> words) throws InterruptedException {
        RuncCommands.Result result = RuncCommands.run(words);
        if (!result.succeeded()) {
            throw new NodeException(ImageName.reason(result.output()));
        }
    }
}
