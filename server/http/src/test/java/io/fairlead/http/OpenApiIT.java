package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What kubectl does with the documents of OpenAPI: it explains, validates and applies.
@Timeout(120)
final class OpenApiIT {
    private static final String HELLO = """
        apiVersion: v1
        kind: Service
        metadata:
          name: hello
        spec:
          selector:
            app: hello
          ports:
          - name: http
            port: 80
            targetPort: http
        """;

    @TempDir
    private Path dir;

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        Kubectl.require();
        server = TestServer.start();
        Files.writeString(dir.resolve("hello.yaml"), HELLO);
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

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray(String[]::new);
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        return kubectl().run(arguments);
    }

    @Test
    void explains_the_ports_of_a_service() throws Exception {
        assertThat(run("explain", "service.spec.ports"))
                .contains("VERSION:", "v1")
                .contains("The ports on which the Service answers.")
                .containsPattern("port\\s+<integer> -required-")
                .containsPattern("targetPort\\s+<(IntOrString|string)>")
                .contains("the name, of the port of the pods");
    }

    /// The way of older ones: from the protobuf form of the one document of OpenAPI 2.
    @Test
    void explains_from_the_older_document_too() throws Exception {
        // A kubectl without the flag reads no other document.
        boolean choice = !kubectl()
                .call("explain", "--output=plaintext-openapiv2", "service")
                .text()
                .contains("unknown flag");
        String[] explain = choice ? new String[] {"explain", "--output=plaintext-openapiv2"} : new String[] {"explain"};

        assertThat(run(with(explain, "service.spec.ports")))
                .contains("The ports on which the Service answers.")
                .containsPattern("port\\s+<integer> -required-")
                .containsPattern("targetPort\\s+<string>");
        assertThat(run(with(explain, "--recursive", "deployment.spec")))
                .containsPattern("matchLabels\\s+<map\\[string\\]string>")
                .containsPattern("containerPort\\s+<integer>");
    }

    @Test
    void explains_other_groups_and_deep_fields() throws Exception {
        assertThat(run("explain", "ingress.spec.rules.http.paths.pathType")).contains("Exact, Prefix");
        assertThat(run("explain", "deploy.spec.template.spec.containers.readinessProbe.httpGet"))
                .contains("The path to ask for.");
        assertThat(run("explain", "endpointslices.endpoints.conditions", "--recursive"))
                .contains("terminating");
        assertThat(run("explain", "pdb")).contains("must stay");
    }

    @Test
    void refuses_an_unknown_field_before_anything_is_made() throws Exception {
        Files.writeString(dir.resolve("bad.yaml"), HELLO.replace("targetPort:", "targetport:"));
        Kubectl.Result bad = kubectl().call("create", "-f", "bad.yaml");

        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.text()).contains("targetport");
        assertThat(run("get", "svc", "-o", "name")).doesNotContain("hello");
    }

    @Test
    void applies_a_service_again_and_again() throws Exception {
        assertThat(run("apply", "-f", "hello.yaml")).isEqualTo("service/hello created\n");
        assertThat(run("apply", "-f", "hello.yaml")).isEqualTo("service/hello unchanged\n");
        Files.writeString(dir.resolve("hello.yaml"), HELLO.replace("targetPort: http", "targetPort: 8080"));
        assertThat(run("apply", "-f", "hello.yaml", "--dry-run=server"))
                .isEqualTo("service/hello configured (server dry run)\n");
        assertThat(run("apply", "-f", "hello.yaml")).isEqualTo("service/hello configured\n");
        assertThat(run("get", "svc", "hello", "-o", "jsonpath={.spec.ports[*].targetPort}"))
                .isEqualTo("8080");
    }

    @Test
    void applies_on_the_server() throws Exception {
        assertThat(run("apply", "--server-side", "-f", "hello.yaml")).isEqualTo("service/hello serverside-applied\n");
    }
}
