package io.fairlead.routes;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A folder of `docs/scenarios/` with Ingresses, and requests with what becomes of them.
record IngressScenario(String name, Snapshot snapshot, List<Line> lines) {
    private static final String CLIENT = "198.51.100.7";

    /// One line of `ingress.txt`.
    record Line(String text, Request request, String expected) {
        static Line of(String text) {
            String[] halves = text.split(" => ", 2);
            String[] words = halves[0].split(" ", -1);
            Map<String, String> headers = new HashMap<>();
            String client = CLIENT.replace(".7", ".10");
            for (int i = 2; i < words.length; i++) {
                String[] pair = words[i].split(":", 2);
                if (pair[0].equals("from")) {
                    client = pair[1];
                } else {
                    headers.put(pair[0], pair[1]);
                }
            }
            String[] url = words[1].split("://|(?<=[a-z])(?=/)", 3);
            return new Line(text, new Request(url[0], url[1], url[2], Ip.parse(client), headers), halves[1]);
        }
    }

    static Stream<IngressScenario> all() {
        Path root = Path.of(System.getProperty("fairlead.root", "../..")).resolve("docs/scenarios");
        try (Stream<Path> folders = Files.list(root)) {
            return folders
                    .filter(folder -> Files.exists(folder.resolve("ingress.txt")))
                    .sorted()
                    .map(IngressScenario::load)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IngressScenario load(Path folder) {
        try {
            List<Line> lines = Files.readAllLines(folder.resolve("ingress.txt")).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Line::of)
                    .toList();
            return new IngressScenario(
                    folder.getFileName().toString(), snapshot(Files.readString(folder.resolve("cluster.yaml"))), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Snapshot snapshot(String yaml) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (JsonNode document : Yaml.parseAll(yaml)) {
            snapshot = snapshot.with(object(document));
        }
        return snapshot;
    }

    static KubernetesObject object(JsonNode document) {
        Kind kind = Kind.find(Json.text(document, "apiVersion"), Json.text(document, "kind"))
                .orElseThrow();
        ObjectNode object = (ObjectNode) document.deepCopy();
        if (kind.namespaced() && !object.withObject("metadata").has("namespace")) {
            object.withObject("metadata").put("namespace", "default");
        }
        return KubernetesObject.of(kind, object).orElseThrow();
    }

    /// What `ingress.txt` says of an answer.
    static String text(RequestOutcome answer) {
        return switch (answer) {
            case RequestOutcome.Send sent -> sent.target() + " " + sent.path();
            case RequestOutcome.Redirect(int status, String location) -> status + " " + location;
            case RequestOutcome.Refuse(int status) -> Integer.toString(status);
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
