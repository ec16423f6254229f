package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.commands.TwoClients.Result;
import io.fairlead.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The verbs that write print what kubectl prints, and leave the same objects.
final class VerbsTest {
    @TempDir
    Path dir;

    private TwoClients clients;

    @BeforeEach
    void start() throws InterruptedException {
        clients = new TwoClients(dir);
    }

    @AfterEach
    void stop() {
        clients.close();
    }

    @Test
    void labels_are_set_changed_removed_and_listed() throws Exception {
        clients.both("create", "configmap", "motd");
        clients.both("label", "cm", "motd", "app=web", "tier=front");
        clients.both("label", "cm", "motd", "app=web");
        clients.both("label", "cm/motd", "app=db");
        clients.both("label", "configmaps", "motd", "app=db", "--overwrite");
        clients.both("label", "--overwrite", "cm", "motd", "app=x");
        clients.both("label", "--overwrite=true", "cm/motd", "app=db");
        clients.both("label", "cm", "--all", "tier-", "nothing-");
        assertThat(clients.both("label", "cm", "motd", "--list").out()).isEqualTo("app=db\n");
        clients.both("label", "cm", "-l", "app=db", "app-");
        assertThat(labels()).isEmpty();
        clients.both("label", "cm", "absent", "a=b");
        clients.both("label", "cm", "a=b");
    }

    private Map<String, String> labels() throws InterruptedException {
        return Json.map(ours(Kind.CONFIG_MAP, "motd"), "metadata", "labels");
    }

    @Test
    void annotations_are_set_changed_and_removed() throws Exception {
        clients.both("create", "configmap", "motd");
        clients.both("annotate", "cm", "motd", "owner=the web team");
        clients.both("annotate", "cm/motd", "owner=ada");
        clients.both("annotate", "cm/motd", "owner=ada", "--overwrite");
        assertThat(Json.map(ours(Kind.CONFIG_MAP, "motd"), "metadata", "annotations"))
                .isEqualTo(Map.of("owner", "ada"));
        clients.both("annotate", "--overwrite", "cm/motd", "owner=bob");
        clients.both("annotate", "cm", "--all", "owner-");
        clients.both("annotate", "cm", "absent", "a=b");
        assertThat(Json.map(ours(Kind.CONFIG_MAP, "motd"), "metadata", "annotations"))
                .isEmpty();
    }

    @Test
    void create_and_replace_take_files() throws Exception {
        Path file = Files.writeString(dir.resolve("web.yaml"), """
            apiVersion: v1
            kind: Service
            metadata: {name: web, labels: {app: web}}
            spec: {selector: {app: web}, ports: [{port: 80}]}
            """);
        clients.both("create", "-f", file.toString());
        Result again = clients.fairlead("create", "-n", TwoClients.OURS, "-f", file.toString());
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err())
                .startsWith("Error from server (AlreadyExists): error when creating \"%s\"".formatted(file));
        Files.writeString(file, Files.readString(file).replace("port: 80", "port: 81"));
        clients.both("replace", "-f", file.toString());
        assertThat(ours(Kind.SERVICE, "web").at("/spec/ports/0/port").intValue())
                .isEqualTo(81);
        Files.writeString(file, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: absent}\n");
        assertThat(clients.fairlead("replace", "-f", file.toString()).err())
                .startsWith("Error from server (NotFound): error when replacing \"%s\"".formatted(file));
    }

    @Test
    void what_create_writes_is_created_once() throws Exception {
        for (List<String> words : List.of(
                List.of("deployment", "web", "--image=fairlead/echo"),
                List.of("configmap", "motd", "--from-literal=a=b"),
                List.of("serviceaccount", "robot"),
                List.of("service", "clusterip", "inside", "--tcp=80"),
                List.of("service", "nodeport", "outside", "--tcp=80:8080"))) {
            String[] typed = create(words);
            assertThat(clients.both(typed).code()).isZero();
            assertThat(clients.both(typed).code()).as("it is there").isEqualTo(1);
        }
        assertThat(clients.both("run", "pod", "--image=fairlead/echo").code()).isZero();
        assertThat(clients.both("run", "pod", "--image=fairlead/echo").code()).isEqualTo(1);
        assertThat(clients.fairlead("create", "namespace", "web").out()).isEqualTo("namespace/web created\n");
        assertThat(clients.fairlead("create", "namespace", "web"))
                .isEqualTo(clients.kubectl("create", "namespace", "web"));
        assertThat(ours(Kind.DEPLOYMENT, "web")
                        .at("/spec/template/spec/containers/0/name")
                        .asString())
                .isEqualTo("echo");
    }

    @Test
    void expose_makes_the_service_that_kubectl_makes() throws Exception {
        clients.both("create", "deployment", "web", "--image=nginx", "--port=80");
        clients.both("create", "deployment", "silent", "--image=nginx");
        clients.both("expose", "deployment", "web");
        clients.both("expose", "deployment", "web");
        clients.both("expose", "deployment/silent");
        clients.both("expose", "deploy", "silent", "--port=80", "--target-port=http", "--type=NodePort");
        clients.both("expose", "svc", "web", "--name=again", "--session-affinity=ClientIP", "--protocol=UDP");
        for (String name : List.of("web", "silent", "again")) {
            assertThat(essence(TwoClients.OURS, name)).isEqualTo(essence(TwoClients.THEIRS, name));
        }
    }

    private List<JsonNode> essence(String namespace, String name) throws InterruptedException {
        ObjectNode service = clients.client().get(Kind.SERVICE, new NamespacedName(namespace, name));
        service.withObject("spec").remove(List.of("clusterIP", "clusterIPs"));
        service.findParents("nodePort").forEach(port -> ((ObjectNode) port).remove("nodePort"));
        return List.of(service.path("spec"), service.path("metadata").path("labels"));
    }

    @Test
    void the_state_of_a_rollout_is_printed_until_it_is_done() throws Exception {
        clients.both("create", "deployment", "web", "--image=nginx", "--replicas=2");
        clients.both("rollout", "status", "deployment/web", "--watch=false");
        for (String status : List.of(
                "{observedGeneration: 1, updatedReplicas: 1, replicas: 2}",
                "{observedGeneration: 1, updatedReplicas: 2, replicas: 3}",
                "{observedGeneration: 1, updatedReplicas: 2, replicas: 2, availableReplicas: 1}",
                "{observedGeneration: 1, updatedReplicas: 2, replicas: 2, availableReplicas: 2}")) {
            JsonNode patch = Yaml.parseAll("status: " + status).getFirst();
            for (String namespace : List.of(TwoClients.OURS, TwoClients.THEIRS)) {
                clients.client().patchStatus(Kind.DEPLOYMENT, new NamespacedName(namespace, "web"), patch);
            }
            clients.both("rollout", "status", "deployment/web", "--watch=false");
        }
        assertThat(clients.both("rollout", "status", "deployment", "web").out())
                .isEqualTo("deployment \"web\" successfully rolled out\n");
        clients.both("rollout", "status", "-w", "deployment", "web");
        clients.both("rollout", "restart", "deployment", "web");
        clients.both("rollout", "status", "deployment", "absent");
    }

    private static String[] create(List<String> words) {
        return Stream.concat(Stream.of("create"), words.stream()).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create deployment web --image=nginx:1.2 --image=example.com:80/a/b@sha256:12 --replicas=2",
                "create deployment web --image=nginx --port=80 -- sleep 5",
                "create namespace web",
                "create configmap motd --from-literal=b=c=d --from-literal=a=",
                "create serviceaccount robot",
                "create service clusterip web --tcp=80:8080 --tcp=5432",
                "create service clusterip web --clusterip=None",
                "create service nodeport web --tcp=80:http --node-port=30001",
                "create service loadbalancer web --tcp=80",
                "create service externalname web --external-name=example.com",
                "run web --image=nginx --port=80 --env=A=b --env=C=d=e",
                "run once --image=busybox --restart=Never --labels=app=x,tier=y -- sleep 5",
                "run once --image=busybox --command -- sleep 5"
            })
    void a_dry_run_writes_the_object_that_kubectl_writes(String line) throws Exception {
        String[] words = line.replaceFirst("( --|$)(?= |$)", " --dry-run=client -o yaml$1")
                .split(" ");
        JsonNode ours = Yaml.parseAll(clients.fairlead(words).out()).getFirst();
        JsonNode theirs = Yaml.parseAll(clients.kubectl(words).out()).getFirst();
        assertThat(withoutEmpty(ours)).isEqualTo(withoutEmpty(theirs));
    }

    /// Older kubectls write a `creationTimestamp: null` and an empty status.
    private static JsonNode withoutEmpty(JsonNode object) {
        ((ObjectNode) object).remove("status");
        if (object.path("spec").isEmpty()) {
            ((ObjectNode) object).remove("spec");
        }
        object.findParents("creationTimestamp").forEach(parent -> ((ObjectNode) parent).remove("creationTimestamp"));
        return object;
    }

    private ObjectNode ours(Kind kind, String name) throws InterruptedException {
        return clients.client().get(kind, new NamespacedName(TwoClients.OURS, name));
    }
}
