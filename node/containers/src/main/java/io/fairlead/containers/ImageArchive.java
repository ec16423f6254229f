package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A file with images: an OCI archive, or what `docker save` writes.
record ImageArchive(Path file) {
    private static final String REFERENCE = "org.opencontainers.image.ref.name";
    private static final String CONTAINERD = "io.containerd.image.name";

    /// One of its images: its name, empty where the file does not say one, and where `skopeo` finds it.
    record Entry(String name, String source) {}

    /// All of them; a [NodeException] where the file is no archive of images.
    List<Entry> entries() throws InterruptedException {
        String oci = content("index.json");
        String docker = content("manifest.json");
        List<Entry> found = new ArrayList<>();
        if (!oci.isEmpty()) {
            found.addAll(ofIndex(parse(oci)));
        } else if (!docker.isEmpty()) {
            found.addAll(ofManifest(parse(docker)));
        }
        if (found.isEmpty()) {
            throw new NodeException("%s is neither an OCI archive nor a docker archive".formatted(file));
        }
        return found;
    }

    /// The index of an OCI layout: an image is named by an annotation, which may be the tag alone.
    private List<Entry> ofIndex(JsonNode index) {
        List<JsonNode> manifests = index.path("manifests").valueStream().toList();
        return manifests.stream()
                .map(manifest -> {
                    String reference = annotation(manifest, REFERENCE);
                    String whole = Stream.of(annotation(manifest, CONTAINERD), reference)
                            .filter(name -> name.contains("/") || name.contains(":"))
                            .findFirst()
                            .orElse("");
                    boolean alone = manifests.size() == 1 || reference.isEmpty();
                    return new Entry(whole, "oci-archive:" + path() + (alone ? "" : ":" + reference));
                })
                .toList();
    }

    /// What `docker save` writes: an image may have several names, or none.
    private List<Entry> ofManifest(JsonNode manifest) {
        return manifest.valueStream()
                .flatMap(image -> {
                    List<String> names = Json.texts(image, "RepoTags");
                    return names.isEmpty()
                            ? Stream.of(new Entry("", "docker-archive:" + path()))
                            : names.stream().map(name -> new Entry(name, "docker-archive:" + path() + ":" + name));
                })
                .toList();
    }

    private static String annotation(JsonNode manifest, String name) {
        return Json.text(manifest, "annotations", name);
    }

    private Path path() {
        return file.toAbsolutePath();
    }

    private JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (ParseException e) {
            throw new NodeException("%s: its list of images is not JSON".formatted(file), e);
        }
    }

    /// A small file of the archive; empty where there is none.
    private String content(String name) throws InterruptedException {
        RuncCommands.Result result = RuncCommands.run(
                List.of("/bin/sh", "-c", "tar -xOf \"$1\" \"$2\" 2>/dev/null", "tar", path().toString(), name));
        return result.succeeded() ? result.output() : "";
    }
}
