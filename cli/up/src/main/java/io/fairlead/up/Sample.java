package io.fairlead.up;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The Deployment and the Service `hello` that every new cluster has: `docs/examples/hello.yaml`.
final class Sample {
    static final NamespacedName NAME = new NamespacedName("default", "hello");

    private Sample() {}

    /// Creates what is not there yet; what a user has changed since the last time stays so.
    static void apply(ApiClient client, boolean bothFamilies) throws InterruptedException {
        List<JsonNode> documents = documents();
        if (bothFamilies) {
            documents.stream()
                    .filter(document -> Json.text(document, "kind").equals(Kind.SERVICE.name()))
                    .map(document -> ((ObjectNode) document).withObject("spec"))
                    .forEach(spec -> spec.put("ipFamilyPolicy", "RequireDualStack"));
        }
        apply(client, documents);
    }

    /// The same for its Ingress: `docs/examples/hello-ingress.yaml`.
    static void applyIngress(ApiClient client) throws InterruptedException {
        apply(client, documents("hello-ingress.yaml"));
    }

    private static void apply(ApiClient client, List<JsonNode> documents) throws InterruptedException {
        for (JsonNode document : documents) {
            Kind kind = Kind.find(Json.text(document, "apiVersion"), Json.text(document, "kind"))
                    .orElseThrow();
            try {
                client.create(kind, (ObjectNode) document);
            } catch (ApiException e) {
                if (!e.isConflict()) {
                    throw e;
                }
            }
        }
    }

    static List<JsonNode> documents() {
        return documents("hello.yaml");
    }

    private static List<JsonNode> documents(String name) {
        try (InputStream file = Sample.class.getResourceAsStream(name)) {
            byte[] text =
                    Objects.requireNonNull(file, name + " is not packaged").readAllBytes();
            return Yaml.parseAll(new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<Service> service(Snapshot snapshot) {
        return snapshot.services()
                .find(NAME)
                .filter(service -> !service.clusterIps().isEmpty());
    }

    /// How many pods its user wants.
    static int wanted(Snapshot snapshot) {
        return snapshot.deployments().find(NAME).map(Deployment::replicas).orElse(0);
    }

    /// Its pods, by name, without those that are on their way out.
    static List<Pod> pods(Snapshot snapshot) {
        return snapshot.pods()
                .values()
                .filter(pod -> pod.key().namespace().equals(NAME.namespace())
                        && NAME.name().equals(pod.metadata().labels().get("app"))
                        && !pod.metadata().isTerminating()
                        && !pod.status().isOver())
                .sorted(Comparator.comparing(Pod::key))
                .toList();
    }
}
