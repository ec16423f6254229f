package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Kubeconfig;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `docs/examples/fairlead-proxy.yaml`: its command line is one that `fairlead proxy` takes, and its ClusterRole is all
/// that the proxy needs.
@RequiresRoot
final class ExampleDaemonSetIT {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("fairlead.root"), "docs", "examples", "fairlead-proxy.yaml");
    private static final String SERVER = "127.0.0.1:16443";
    private static final NamespacedName NODE = new NamespacedName("", "node-a");

    @TempDir
    Path folder;

    @Test
    void the_proxy_of_the_example_works_with_the_rights_that_the_example_gives_it() throws Exception {
        List<JsonNode> documents = Yaml.parseAll(Files.readString(EXAMPLE));
        Launched server = Launched.start(folder, "server", "--dir", folder.toString(), "--bind", SERVER);
        try (ApiClient administrator = connect(server)) {
            prepare(administrator, documents);
            Path kubeconfig = kubeconfigOf(token(administrator));
            Launched proxy = Launched.start(folder, command(documents, kubeconfig));
            try (ApiClient account = new ApiClient(Kubeconfig.read(kubeconfig))) {
                awaitService(proxy);
                account.create(Kind.EVENT, event());
                assertThatThrownBy(() -> account.mergePatch(Kind.NODE, NODE, Json.object()))
                        .as("it has no more rights than the example gives")
                        .isInstanceOf(ApiException.class)
                        .hasMessageContaining("forbidden");
            } finally {
                assertThat(proxy.end().output()).doesNotContain("forbidden");
                assertThat(Launched.run(folder, "proxy", "--cleanup").exit()).isZero();
            }
        } finally {
            server.end();
        }
    }

    private ApiClient connect(Launched server) {
        Path kubeconfig = folder.resolve("kubeconfig");
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            server.requireAlive();
            return Files.exists(kubeconfig);
        });
        ApiClient client = new ApiClient(Kubeconfig.read(kubeconfig));
        await().atMost(Duration.ofSeconds(60)).until(client::isReady);
        return client;
    }

    /// What the example says but for the DaemonSet, and a cluster of one node and one Service.
    private static void prepare(ApiClient administrator, List<JsonNode> documents) throws InterruptedException {
        List<JsonNode> objects = new ArrayList<>(documents);
        objects.removeIf(document -> Json.text(document, "kind").equals("DaemonSet"));
        objects.addAll(Yaml.parseAll("""
            {apiVersion: v1, kind: Node, metadata: {name: node-a}, spec: {podCIDR: 10.244.1.0/24}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {namespace: default, name: web}
            spec: {ports: [{port: 80}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints: [{addresses: [10.244.1.7], nodeName: node-a}]
            """));
        for (JsonNode object : objects) {
            Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                    .orElseThrow();
            administrator.create(kind, (ObjectNode) object);
        }
    }

    private static String token(ApiClient administrator) throws InterruptedException {
        Kind request = new Kind("", "v1", "TokenRequest", "serviceaccounts/fairlead-proxy/token", true, List.of());
        ObjectNode answer = administrator.create(request, (ObjectNode) Json.parse("""
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
             "metadata": {"namespace": "kube-system"}, "spec": {}}\
            """));
        return Json.text(answer, "status", "token");
    }

    /// The administrator's, with the token of the account in the place of the key.
    private Path kubeconfigOf(String token) throws IOException {
        JsonNode config =
                Yaml.parseAll(Files.readString(folder.resolve("kubeconfig"))).getFirst();
        ObjectNode user = (ObjectNode) config.at("/users/0");
        user.putObject("user").put("token", token);
        return Files.writeString(folder.resolve("account"), Json.pretty(config));
    }

    /// The command of the container, with what the node's agent would put in, and without a hand on the machine's own
    /// limits.
    private static String[] command(List<JsonNode> documents, Path kubeconfig) {
        JsonNode container = documents.getLast().at("/spec/template/spec/containers/0");
        List<String> command = new ArrayList<>(Json.texts(container, "command"));
        assertThat(command.removeFirst()).isEqualTo("fairlead");
        command.replaceAll(word -> word.replace("$(NODE_NAME)", NODE.name()));
        command.addAll(
                List.of("--kubeconfig", kubeconfig.toString(), "--conntrack-max-per-core=0", "--conntrack-min=0"));
        return command.toArray(String[]::new);
    }

    private static void awaitService(Launched proxy) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            proxy.requireAlive();
            String dump = RunningCluster.dump();
            return dump.contains("default/web") && dump.contains("10.244.1.7:8080 local");
        });
    }

    private static ObjectNode event() {
        return new EventDraft(Kind.NODE, NODE, "", "Normal", "Tested", "the account may tell")
                .tree("test", Instant.now());
    }
}
