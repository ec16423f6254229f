package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ParseException;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the objects of `-f`: files, folders of files, or `-` for the standard input.
///
/// All faults are found before anything is done: each names the file, the document, the field and the rule.
final class ManifestFiles {
    private final NamespaceOptions namespace;
    private final InputStream standardInput;
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private ManifestFiles(NamespaceOptions namespace, InputStream standardInput) {
        this.namespace = namespace;
        this.standardInput = standardInput;
    }

    /// The objects in their order; a [CommandException] lists everything that is wrong with them.
    static List<Manifest> read(List<String> names, NamespaceOptions namespace, InputStream standardInput) {
        ManifestFiles files = new ManifestFiles(namespace, standardInput);
        names.forEach(files::readNamed);
        if (files.manifests.isEmpty() && files.faults.isEmpty()) {
            files.faults.add("error: there is no object in " + String.join(", ", names));
        }
        if (!files.faults.isEmpty()) {
            throw new CommandException(String.join("\n", files.faults));
        }
        return files.manifests;
    }

    private void readNamed(String name) {
        try {
            if (name.equals("-")) {
                readText("standard input", new String(standardInput.readAllBytes(), StandardCharsets.UTF_8));
            } else if (Files.isDirectory(Path.of(name))) {
                readFolder(Path.of(name));
            } else {
                readFile(Path.of(name));
            }
        } catch (IOException e) {
            faults.add("error: %s cannot be read: %s".formatted(name, e));
        }
    }

    private void readFolder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            readFile(file);
        }
    }

    private void readFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            faults.add("error: the path \"%s\" does not exist".formatted(file));
            return;
        }
        try {
            readText(file.toString(), Files.readString(file));
        } catch (CharacterCodingException _) {
            faults.add("error: %s is not a text in UTF-8".formatted(file));
        }
    }

    private void readText(String file, String text) {
        try {
            List<JsonNode> documents = Yaml.parseAll(text);
            for (int index = 0; index < documents.size(); index++) {
                readDocument("\"%s\" (document %d)".formatted(file, index + 1), documents.get(index));
            }
        } catch (ParseException e) {
            faults.add("error: \"%s\": %s".formatted(file, e.getMessage()));
        }
    }

    private void readDocument(String place, JsonNode tree) {
        if (!(tree instanceof ObjectNode object)) {
            faults.add("error: %s: an object is a mapping with apiVersion, kind and metadata".formatted(place));
        } else if (Json.text(object, "kind").equals("List")) {
            object.path("items").forEach(item -> readDocument(place, item));
        } else {
            readObject(place, object);
        }
    }

    private void readObject(String place, ObjectNode object) {
        List<String> wrong = problems(object);
        wrong.forEach(sentence -> faults.add("error: %s: %s".formatted(place, sentence)));
        if (wrong.isEmpty()) {
            kind(object).forEach(kind -> manifests.add(placed(new Manifest(place, kind, object))));
        }
    }

    private List<String> problems(ObjectNode object) {
        List<String> wrong = new ArrayList<>();
        Stream.of("apiVersion", "kind")
                .filter(field -> Json.text(object, field).isEmpty())
                .forEach(field -> wrong.add(field + ": Required value"));
        if (Json.text(object, "metadata", "name").isEmpty()) {
            wrong.add("metadata.name: Required value: an object has a name");
        }
        if (wrong.isEmpty() && kind(object).isEmpty()) {
            wrong.add("kind: no matches for kind \"%s\" in version \"%s\"; there are %s"
                    .formatted(Json.text(object, "kind"), Json.text(object, "apiVersion"), knownKinds()));
        }
        String itsOwn = Json.text(object, "metadata", "namespace");
        if (namespace.isGiven() && !itsOwn.isEmpty() && !itsOwn.equals(namespace.name())) {
            wrong.add("metadata.namespace: \"%s\" does not match the namespace \"%s\" of -n"
                    .formatted(itsOwn, namespace.name()));
        }
        return wrong;
    }

    private Manifest placed(Manifest manifest) {
        if (manifest.kind().namespaced() && manifest.key().namespace().isEmpty()) {
            manifest.object().withObject("metadata").put("namespace", namespace.name());
        }
        return manifest;
    }

    private static List<Kind> kind(ObjectNode object) {
        return Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind")).stream()
                .toList();
    }

    private static String knownKinds() {
        return String.join(
                ", ",
                Kind.ALL.stream()
                        .map(kind -> kind.apiVersion() + " " + kind.name())
                        .toList());
    }
}
