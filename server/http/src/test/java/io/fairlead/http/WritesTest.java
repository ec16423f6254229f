package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.schema.Protobuf;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How bodies are read, what is said about their fields, and who is written down as their author.
@Timeout(60)
final class WritesTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SERVICE = """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s"},"spec":{"ports":[{"port":80}]%s}}\
        """;

    @AutoClose
    private static final TestServer server = TestServer.running();

    @Test
    void an_unknown_field_is_a_warning_an_error_or_nothing() throws Exception {
        String body = SERVICE.formatted("field", ",\"foo\":1");

        assertThat(server.post(SERVICES + "?dryRun=All", body).warnings())
                .containsExactly("299 - \"unknown field \\\"spec.foo\\\"\"");
        assertThat(server.post(SERVICES + "?dryRun=All&fieldValidation=Ignore", body)
                        .warnings())
                .isEmpty();
        var strict = server.post(SERVICES + "?fieldValidation=Strict", body);
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.message())
                .isEqualTo("Service in version \"v1\" cannot be handled as a Service: strict decoding error: "
                        + "unknown field \"spec.foo\"");
        assertThat(server.post(SERVICES + "?fieldValidation=Maybe", body).code())
                .isEqualTo(422);
    }

    @Test
    void a_field_that_is_there_twice_is_told_in_json_and_in_yaml() throws Exception {
        String json = SERVICE.formatted("twice", ",\"type\":\"ClusterIP\",\"type\":\"NodePort\"");
        String yaml = """
            metadata:
              name: twice
            spec:
              type: ClusterIP
              type: NodePort
              ports:
              - port: 80
                port: 81
            """;

        var fromJson = server.post(SERVICES + "?dryRun=All", json);
        var fromYaml = server.send("POST", SERVICES + "?dryRun=All", "application/yaml", yaml);

        assertThat(fromJson.warnings()).containsExactly("299 - \"duplicate field \\\"spec.type\\\"\"");
        assertThat(fromJson.text("spec", "type")).isEqualTo("NodePort");
        assertThat(fromYaml.warnings())
                .containsExactly(
                        "299 - \"duplicate field \\\"spec.type\\\"\"",
                        "299 - \"duplicate field \\\"spec.ports[0].port\\\"\"");
        assertThat(server.post(SERVICES + "?fieldValidation=Strict", json).message())
                .contains("duplicate field \"spec.type\"");
    }

    @Test
    void a_patch_is_told_of_the_unknown_fields_that_it_brings() throws Exception {
        server.post(SERVICES, SERVICE.formatted("known", ""));

        assertThat(server.merge(SERVICES + "/known", "{\"spec\":{\"bar\":1}}").warnings())
                .containsExactly("299 - \"unknown field \\\"spec.bar\\\"\"");
        assertThat(server.merge(SERVICES + "/known", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                        .warnings())
                .isEmpty();
        assertThat(server.merge(SERVICES + "/known?fieldValidation=Strict", "{\"spec\":{\"baz\":1}}")
                        .code())
                .isEqualTo(400);
    }

    @Test
    void a_body_may_be_protobuf() throws Exception {
        byte[] body = Protobuf.encode(Json.parse(SERVICE.formatted("wire", ",\"selector\":{\"a\":\"b\"}")));

        var created = server.send("POST", SERVICES, Protobuf.MEDIA_TYPE, body);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("spec", "selector", "a")).isEqualTo("b");
        assertThat(server.send("POST", SERVICES, Protobuf.MEDIA_TYPE, "nonsense")
                        .code())
                .isEqualTo(400);
        assertThat(server.send("POST", SERVICES, "text/plain", "nonsense").code())
                .isEqualTo(415);
    }

    @Test
    void a_generated_name_has_five_letters_more() throws Exception {
        var created = server.post(CONFIG_MAPS, "{\"metadata\":{\"generateName\":\"cfg-\"}}");

        assertThat(created.text("metadata", "name")).matches("cfg-[a-z0-9]{5}");
        assertThat(created.text("metadata", "generateName")).isEqualTo("cfg-");
    }

    @Test
    void the_server_notes_the_client_that_writes() throws Exception {
        server.post(CONFIG_MAPS + "?fieldManager=maker", "{\"metadata\":{\"name\":\"own\"},\"data\":{\"a\":\"1\"}}");
        var changed = server.merge(CONFIG_MAPS + "/own?fieldManager=editor", "{\"data\":{\"b\":\"2\"}}");

        assertThat(Json.list(changed.body(), entry -> Json.text(entry, "manager"), "metadata", "managedFields"))
                .containsExactlyInAnyOrder("maker", "editor");
        assertThat(changed.body().path("metadata").path("managedFields").toString())
                .contains("{\"f:data\":{\"f:b\":{}}}");
        var again = server.merge(CONFIG_MAPS + "/own?fieldManager=third", "{\"data\":{\"b\":\"2\"}}");
        assertThat(again.version()).isEqualTo(changed.version());
    }

    @Test
    void a_dry_run_changes_nothing_with_any_verb() throws Exception {
        server.post(SERVICES, SERVICE.formatted("dry", ""));
        var before = server.get(SERVICES + "/dry");

        List<TestServer.Reply> tried = List.of(
                server.post(SERVICES + "?dryRun=All", SERVICE.formatted("new", "")),
                server.put(SERVICES + "/dry?dryRun=All", SERVICE.formatted("dry", ",\"type\":\"NodePort\"")),
                server.merge(SERVICES + "/dry?dryRun=All", "{\"spec\":{\"type\":\"NodePort\"}}"),
                server.delete(SERVICES + "/dry?dryRun=All"),
                server.delete(SERVICES + "/dry?dryRun=All&propagationPolicy=Foreground"));

        assertThat(tried).allMatch(reply -> reply.code() < 300);
        assertThat(server.get(SERVICES + "/dry").body()).isEqualTo(before.body());
        assertThat(server.get(SERVICES + "/new").code()).isEqualTo(404);
        assertThat(server.post(SERVICES + "?dryRun=Some", "{}").code()).isEqualTo(422);
    }
}
