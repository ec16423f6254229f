package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The client commands, as typed, on a real API server in this JVM.
final class ClientCommandsTest {
    private static final String HELLO = """
        apiVersion: v1
        kind: Service
        metadata:
          name: hello
          labels: {app: hello}
        spec:
          type: NodePort
          selector: {app: hello}
          ports:
          - port: 80
            targetPort: 8080
        """;
    private static final NamespacedName HELLO_KEY = new NamespacedName("default", "hello");

    @TempDir
    Path dir;

    private final MemoryStore store = new MemoryStore();
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() throws InterruptedException {
        server = ApiServer.start(ApiServerConfig.at(IpPort.parse("127.0.0.1:0")), store);
        ClusterAccess access = ClusterAccess.of(URI.create("http://" + server.address()));
        Kubeconfig.write(dir.resolve("kubeconfig"), access);
        client = new ApiClient(access);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        store.close();
    }

    @Test
    void apply_creates_then_changes_nothing_then_changes_what_the_file_changed() throws Exception {
        Path file = write("hello.yaml", HELLO);
        assertThat(run("apply", "-f", file.toString())).isEqualTo(ok("service/hello created\n"));
        JsonNode created = client.get(Kind.SERVICE, HELLO_KEY);
        assertThat(run("apply", "-f", file.toString())).isEqualTo(ok("service/hello unchanged\n"));
        assertThat(client.get(Kind.SERVICE, HELLO_KEY)).isEqualTo(created);

        write(
                "hello.yaml",
                HELLO.replace("targetPort: 8080", "targetPort: 9090").replace("  labels: {app: hello}\n", ""));
        assertThat(run("apply", "-f", file.toString())).isEqualTo(ok("service/hello configured\n"));
        JsonNode changed = client.get(Kind.SERVICE, HELLO_KEY);
        assertThat(changed.at("/spec/ports/0/targetPort").intValue()).isEqualTo(9090);
        assertThat(changed.at("/spec/ports/0/nodePort"))
                .as("the server's")
                .isEqualTo(created.at("/spec/ports/0/nodePort"));
        assertThat(changed.at("/spec/clusterIP")).as("the server's").isEqualTo(created.at("/spec/clusterIP"));
        assertThat(changed.at("/metadata/labels/app").isMissingNode())
                .as("the label is given up")
                .isTrue();
    }

    @Test
    void one_refused_object_does_not_hide_what_became_of_the_others() throws Exception {
        Path file = write(
                "two.yaml",
                HELLO.replace("port: 80\n", "port: 70000\n") + "---\n" + HELLO.replace("name: hello", "name: good"));
        Result result = run("apply", "-f", file.toString());
        assertThat(result.code).isEqualTo(1);
        assertThat(result.out).isEqualTo("service/good created\n");
        assertThat(result.err)
                .contains("Error from server (Invalid): error when applying \"%s\" (document 1): ".formatted(file))
                .contains("spec.ports[0].port", "70000", "between 1 and 65535")
                .contains("error: 1 of 2 objects were not applied: service/hello");
        assertThat(client.find(Kind.SERVICE, HELLO_KEY)).isEmpty();
    }

    @Test
    void a_fault_in_any_file_stops_all_before_the_first_is_sent() throws Exception {
        Path good = write("good.yaml", HELLO);
        Path bad = write("bad.yaml", "apiVersion: v1\nkind: Servce\nmetadata: {name: x}\n");
        Result result = run("apply", "-f", good.toString(), "-f", bad.toString());
        assertThat(result.code).isEqualTo(1);
        assertThat(result.err)
                .startsWith("error: \"%s\" (document 1): kind: no matches for kind \"Servce\"".formatted(bad))
                .endsWith("error: nothing was applied\n");
        assertThat(client.find(Kind.SERVICE, HELLO_KEY)).isEmpty();
    }

    @Test
    void get_prints_the_tables_of_the_server() throws Exception {
        run("apply", "-f", write("hello.yaml", HELLO).toString());
        Result table = run("get", "svc", "hello");
        assertThat(table.out.lines().toList()).hasSize(2);
        assertThat(table.out)
                .matches("(?s)NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\\(S\\) +AGE\n"
                        + "hello +NodePort +10\\.96\\.\\S+ +<none> +80:3\\d{4}/TCP +\\S+\n");
        assertThat(run("get", "services", "-o", "wide").out).contains("SELECTOR", "app=hello");
        assertThat(run("get", "services", "-A").out).startsWith("NAMESPACE").contains("default     hello");
        assertThat(run("get", "services", "-l", "app=hello", "--no-headers").out.lines())
                .hasSize(1);
        assertThat(run("get", "pods,svc").out).contains("service/hello").doesNotContain("pod/");
    }

    @Test
    void get_prints_whole_objects() throws Exception {
        run("apply", "-f", write("hello.yaml", HELLO).toString());
        JsonNode yaml =
                Yaml.parseAll(run("get", "svc", "hello", "-o", "yaml").out).getFirst();
        JsonNode json = Json.parse(run("get", "svc/hello", "-o", "json").out);
        assertThat(yaml).isEqualTo(json).isEqualTo(client.get(Kind.SERVICE, HELLO_KEY));
        JsonNode list = Json.parse(run("get", "svc", "-l", "app=hello", "-o", "json").out);
        assertThat(Json.text(list, "kind")).isEqualTo("List");
        assertThat(list.at("/items/0")).isEqualTo(json);
        assertThat(run("get", "svc", "-l", "app=hello", "-o", "name").out).isEqualTo("service/hello\n");
    }

    @Test
    void nothing_and_not_found_are_told_apart() {
        assertThat(run("get", "pods")).isEqualTo(new Result(0, "", "No resources found in default namespace.\n"));
        assertThat(run("get", "pods", "-A")).isEqualTo(new Result(0, "", "No resources found\n"));
        assertThat(run("get", "pods", "x"))
                .isEqualTo(new Result(1, "", "Error from server (NotFound): pods \"x\" not found\n"));
        assertThat(run("get", "deploy", "x", "-o", "yaml"))
                .isEqualTo(new Result(1, "", "Error from server (NotFound): deployments.apps \"x\" not found\n"));
    }

    @Test
    void a_watch_shows_what_happens() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter names = new StringWriter();
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("table", () -> run(out, new StringWriter(), "get", "svc", "-w"));
            tasks.run("names", () -> run(names, new StringWriter(), "get", "svc", "-w", "-o", "name"));
            await().untilAsserted(
                            () -> assertThat(out.toString()).startsWith("NAME").contains("kubernetes"));
            await().untilAsserted(() -> assertThat(names.toString()).isEqualTo("service/kubernetes\n"));
            run("apply", "-f", write("hello.yaml", HELLO).toString());
            await().untilAsserted(() -> assertThat(out.toString()).contains("\nhello "));
            await().untilAsserted(() -> assertThat(names.toString()).endsWith("service/hello\n"));
        }
    }

    @Test
    void delete_takes_away_what_is_named() throws Exception {
        Path file = write("hello.yaml", HELLO);
        run("apply", "-f", file.toString());
        assertThat(run("delete", "svc", "hello")).isEqualTo(ok("service \"hello\" deleted\n"));
        assertThat(client.find(Kind.SERVICE, HELLO_KEY)).isEmpty();
        assertThat(run("delete", "svc", "hello"))
                .isEqualTo(new Result(1, "", "Error from server (NotFound): services \"hello\" not found\n"));
        assertThat(run("delete", "-f", file.toString(), "--ignore-not-found").code)
                .isZero();

        run("apply", "-f", file.toString());
        assertThat(run("delete", "-f", file.toString())).isEqualTo(ok("service \"hello\" deleted\n"));
        run("apply", "-f", file.toString());
        assertThat(run("delete", "services", "-l", "app=hello").out).isEqualTo("service \"hello\" deleted\n");
        assertThat(run("delete", "services").err).contains("which of the services?");
    }

    @Test
    void scale_sets_the_number_of_pods() throws Exception {
        run("apply", "-f", write("web.yaml", """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: echo, image: fairlead/echo}]}
            """).toString());
        assertThat(run("scale", "deployment", "web", "--replicas", "5")).isEqualTo(ok("deployment.apps/web scaled\n"));
        assertThat(client.get(Kind.DEPLOYMENT, new NamespacedName("default", "web"))
                        .at("/spec/replicas")
                        .intValue())
                .isEqualTo(5);
        assertThat(run("scale", "svc", "web", "--replicas", "5").err).contains("services have no number of pods");
    }

    @Test
    void a_server_that_is_away_is_told_in_one_line() {
        server.close();
        for (List<String> words : List.of(List.of("get", "svc"), List.of("get", "svc", "-o", "yaml"))) {
            Result result = run(words.toArray(String[]::new));
            assertThat(result.code).isEqualTo(1);
            assertThat(result.err.lines()).hasSize(1);
            assertThat(result.err).contains("is the cluster running?");
        }
    }

    @Test
    void another_context_is_another_cluster() throws IOException {
        Path file = write("kubeconfig", """
            {current-context: nowhere,
             contexts: [{name: nowhere, context: {cluster: a}}, {name: here, context: {cluster: b}}],
             clusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}, {name: b, cluster: {server: 'http://%s'}}]}
            """.formatted(server.address()));
        assertThat(run("get", "namespaces", "--context", "here").code()).isZero();
        assertThat(run("get", "namespaces").code()).isEqualTo(1);
        assertThat(run("get", "namespaces", "--context=there").err())
                .isEqualTo("error: kubeconfig %s: context: contexts has no item named \"there\"\n".formatted(file));
    }

    private record Result(int code, String out, String err) {}

    private static Result ok(String out) {
        return new Result(0, out, "");
    }

    private Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        return new Result(run(out, err, args), out.toString(), err.toString());
    }

    private int run(StringWriter out, StringWriter err, String... args) {
        String[] all = Stream.concat(
                        Stream.of("--kubeconfig", dir.resolve("kubeconfig").toString()), Stream.of(args))
                .toArray(String[]::new);
        return Main.commandLine(all)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }
}
