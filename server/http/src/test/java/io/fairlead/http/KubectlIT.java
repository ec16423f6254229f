package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.IpPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A kubectl from outside this project.
@Timeout(120)
final class KubectlIT {
    private static final String HELLO = """
        apiVersion: v1
        kind: Service
        metadata:
          name: hello
        spec:
          type: NodePort
          clusterIP: 10.96.0.100
          selector:
            app: hello
          ports:
          - port: 80
            targetPort: http
            nodePort: 30050
        """;

    @TempDir
    private Path dir;

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        Kubectl.require();
        server = TestServer.start(
                ApiServerConfig.at(TestServer.ANY_PORT).withAdvertised(List.of(IpPort.parse("192.0.2.1:6443"))));
        Files.writeString(dir.resolve("hello.yaml"), HELLO);
        Files.writeString(
                dir.resolve("pod.json"),
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                        + VerbsTest.pod("p").strip().substring(1));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private Kubectl kubectl() {
        return new Kubectl(server, dir);
    }

    /// As people read it: whatever the ages and the widths of columns are.
    private String run(String... arguments) throws IOException, InterruptedException {
        return kubectl()
                .run(arguments)
                .replaceAll("\\b\\d+s\\b", "AGE")
                .replaceAll("\\s*\\n", "\n")
                .replaceAll(" {2,}", "  ");
    }

    @Test
    void creates_shows_and_deletes_a_service() throws Exception {
        assertThat(run("create", "--validate=false", "-f", "hello.yaml")).isEqualTo("service/hello created\n");
        assertThat(run("get", "services")).isEqualTo("""
            NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE
            hello  NodePort  10.96.0.100  <none>  80:30050/TCP  AGE
            kubernetes  ClusterIP  10.96.0.1  <none>  443/TCP  AGE
            """);
        assertThat(run("get", "svc", "hello", "-o", "wide")).isEqualTo("""
            NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE  SELECTOR
            hello  NodePort  10.96.0.100  <none>  80:30050/TCP  AGE  app=hello
            """);
        assertThat(run("get", "svc", "hello", "-o", "yaml"))
                .contains("  clusterIP: 10.96.0.100\n")
                .contains("  targetPort: http\n");
        assertThat(run("get", "svc", "-l", "a=b")).contains("No resources found");
        assertThat(run("get", "all", "-A", "-o", "name")).contains("service/hello\n");
        assertThat(run("delete", "service", "hello")).contains("service \"hello\" deleted");
        assertThat(kubectl().call("get", "svc", "hello").text())
                .contains("(NotFound)")
                .contains("services \"hello\" not found");
    }

    @Test
    void is_told_the_field_and_the_rule() throws Exception {
        Files.writeString(dir.resolve("bad.yaml"), HELLO.replace("port: 80\n", "port: 70000\n"));
        Kubectl.Result bad = kubectl().call("create", "--validate=false", "-f", "bad.yaml");

        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.text())
                .contains("The Service \"hello\" is invalid")
                .contains("spec.ports[0].port")
                .contains("must be between 1 and 65535");
    }

    @Test
    void patches_labels_scales_and_describes() throws Exception {
        run("create", "--validate=false", "-f", "hello.yaml");
        assertThat(run("label", "svc", "hello", "color=blue")).contains("service/hello labeled");
        assertThat(run("annotate", "svc", "hello", "note=x")).contains("service/hello annotated");
        assertThat(run("patch", "svc", "hello", "--type=merge", "-p", "{\"metadata\":{\"labels\":{\"size\":\"L\"}}}"))
                .contains("patched");
        assertThat(run("get", "svc", "-l", "color=blue,size=L", "-o", "name")).isEqualTo("service/hello\n");
        assertThat(run("describe", "svc", "kubernetes")).contains("192.0.2.1:6443");

        Files.writeString(
                dir.resolve("web.json"),
                "{\"kind\":\"Deployment\",\"apiVersion\":\"apps/v1\","
                        + VerbsTest.deployment("web").strip().substring(1));
        run("create", "--validate=false", "-f", "web.json");
        assertThat(run("scale", "deployment", "web", "--replicas=5")).contains("deployment.apps/web scaled");
        assertThat(run("get", "deploy")).contains("web  0/5  0  0  AGE");
    }

    @Test
    void watches() throws Exception {
        Process watch = kubectl().start("get", "pods", "-w");
        try (var lines = watch.inputReader(StandardCharsets.UTF_8)) {
            run("create", "--validate=false", "-f", "pod.json");
            assertThat(lines.readLine()).startsWith("NAME").contains("READY");
            assertThat(lines.readLine()).startsWith("p ").contains("0/1").contains("Pending");
            run("delete", "pod", "p");
            assertThat(lines.readLine()).startsWith("p ");
        } finally {
            watch.destroy();
            watch.waitFor();
        }
    }

    @Test
    void makes_and_removes_a_namespace() throws Exception {
        Files.writeString(dir.resolve("ns.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: side\n");
        run("create", "--validate=false", "-f", "ns.yaml");
        run("create", "--validate=false", "-n", "side", "-f", "pod.json");

        assertThat(run("delete", "namespace", "side")).contains("namespace \"side\" deleted");
        assertThat(kubectl().call("get", "ns", "side").text()).contains("NotFound");
    }

    @Test
    void finds_out_what_there_is() throws Exception {
        assertThat(run("api-resources"))
                .contains("services  svc  v1  true  Service")
                .contains("deployments  deploy  apps/v1  true  Deployment");
        assertThat(run("api-versions")).contains("apps/v1\n", "discovery.k8s.io/v1\n", "\nv1\n");
        assertThat(run("version")).containsPattern("Server Version: .*v1.36");
    }
}
