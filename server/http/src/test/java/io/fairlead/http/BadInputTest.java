package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a client sends, it gets a Status that says what is wrong, and nothing changes.
@Timeout(60)
final class BadInputTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    private static TestServer server;

    private String before = "";

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start();
        server.post(
                SERVICES,
                Bodies.service("taken", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30080}]"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void note() {
        before = server.store().list("services/").items().toString();
    }

    @AfterEach
    void nothing_has_changed() {
        assertThat(server.store().list("services/").items().toString()).isEqualTo(before);
    }

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                Arguments.of(
                        "a port of 70000",
                        "\"ports\":[{\"port\":70000}]",
                        "spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive"),
                Arguments.of("no port", "\"selector\":{}", "spec.ports: Required value"),
                Arguments.of(
                        "a VIP outside the range",
                        "\"clusterIP\":\"10.1.2.3\",\"ports\":[{\"port\":80}]",
                        "is not in the valid range. The range of valid IPs is 10.96.0.0/16"),
                Arguments.of(
                        "the network address as VIP",
                        "\"clusterIP\":\"10.96.0.0\",\"ports\":[{\"port\":80}]",
                        "is not in the valid range. The range of valid IPs is 10.96.0.0/16"),
                Arguments.of(
                        "a VIP that is no address",
                        "\"clusterIP\":\"10.96.0\",\"ports\":[{\"port\":80}]",
                        "spec.clusterIPs[0]: Invalid value: \"10.96.0\""),
                Arguments.of(
                        "a taken node port",
                        "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30080}]",
                        "spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated"),
                Arguments.of(
                        "a node port outside the range",
                        "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":80}]",
                        "provided port is not in the valid range. The range of valid ports is 30000-32767"));
    }

    static Stream<Arguments> wrongPlaces() {
        return Stream.of(
                Arguments.of(
                        "two ports without names",
                        "\"ports\":[{\"port\":80},{\"port\":81}]",
                        "spec.ports[0].name: Required value"),
                Arguments.of(
                        "two ports of one name",
                        "\"ports\":[{\"name\":\"a\",\"port\":80},{\"name\":\"a\",\"port\":81}]",
                        "spec.ports[1].name: Duplicate value: \"a\""),
                Arguments.of(
                        "one port twice",
                        "\"ports\":[{\"name\":\"a\",\"port\":80},{\"name\":\"b\",\"port\":80}]",
                        "spec.ports[1]: Duplicate value: {\"protocol\":\"TCP\",\"port\":80}"),
                Arguments.of(
                        "an unknown protocol",
                        "\"ports\":[{\"port\":80,\"protocol\":\"ICMP\"}]",
                        "spec.ports[0].protocol: Unsupported value: \"ICMP\""),
                Arguments.of(
                        "an unknown type",
                        "\"type\":\"Magic\",\"ports\":[{\"port\":80}]",
                        "spec.type: Unsupported value: \"Magic\""),
                Arguments.of(
                        "an ExternalName without a name",
                        "\"type\":\"ExternalName\"",
                        "spec.externalName: Required value"),
                Arguments.of(
                        "a family the cluster lacks",
                        "\"ipFamilies\":[\"IPv6\"],\"ports\":[{\"port\":80}]",
                        "spec.ipFamilies[0]: Invalid value: \"IPv6\""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"wrongValues", "wrongPlaces"})
    void a_service_that_breaks_a_rule_is_told_the_field_and_the_rule(String what, String spec, String sentence)
            throws Exception {
        var reply = server.post(SERVICES, Bodies.service("bad", spec));

        assertThat(reply.code()).as(what).isEqualTo(422);
        assertThat(reply.text("reason")).isEqualTo("Invalid");
        assertThat(reply.message()).startsWith("Service \"bad\" is invalid: ").contains(sentence);
        assertThat(reply.body().path("details").path("causes")).isNotEmpty();
    }

    @Test
    void every_fault_is_told_not_only_the_first() throws Exception {
        var reply = server.post(
                SERVICES, "{\"metadata\":{\"name\":\"-bad-\"},\"spec\":{\"ports\":[{\"port\":0},{\"port\":70000}]}}");

        assertThat(reply.message())
                .contains("metadata.name")
                .contains("spec.ports[0].port")
                .contains("spec.ports[1].port")
                .contains("spec.ports[1].name");
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("application/json", "{\"metadata\":", "not JSON"),
                Arguments.of("application/json", "[]", "one object"),
                Arguments.of("application/json", "{\"metadata\":\"x\"}", "metadata: must be an object"),
                Arguments.of(
                        "application/json", "{\"metadata\":{\"name\":\"a\"},\"spec\":[]}", "spec: must be an object"),
                Arguments.of("application/yaml", "a: [1", "the body cannot be read"),
                Arguments.of("application/yaml", "a: 1\n---\nb: 2\n", "holds 2 documents"),
                Arguments.of("application/json", "", "the body"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bodies")
    void a_body_that_cannot_be_read_is_a_bad_request(String type, String body, String sentence) throws Exception {
        var reply = server.send("POST", SERVICES, type, body);

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.text("kind")).isEqualTo("Status");
        assertThat(reply.message()).contains(sentence);
    }

    @Test
    void wrong_types_deep_in_an_object_are_named() throws Exception {
        var pod = server.post("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"odd","labels":{"a":1}},"spec":{"containers":[{"name":"x","ports":"many"},7]}}\
            """);
        var deployment = server.post("/apis/apps/v1/namespaces/default/deployments", """
            {"metadata":{"name":"odd"},"spec":{"template":"none","selector":{"matchLabels":"x"}}}\
            """);

        assertThat(pod.code()).isEqualTo(400);
        assertThat(pod.message()).contains("cannot unmarshal number").contains("metadata.labels");
        assertThat(deployment.code()).isEqualTo(400);
        assertThat(deployment.message()).contains("cannot unmarshal string").contains("spec.template");
        for (String spec : List.of("{\"ports\":[{\"port\":\"eighty\"}]}", "{\"ports\":\"many\"}")) {
            var service = server.post(SERVICES, "{\"metadata\":{\"name\":\"odd\"},\"spec\":" + spec + "}");
            assertThat(service.code()).isEqualTo(400);
            assertThat(service.text("reason")).isEqualTo("BadRequest");
        }
    }

    @Test
    void an_unknown_kind_or_path_is_not_found() throws Exception {
        for (String path : new String[] {
            "/api/v1/namespaces/default/gadgets",
            "/api/v2/pods",
            "/api/v1/pods/without-namespace",
            "/api/v1/namespaces/default/nodes",
            "/api/v1/namespaces/default/pods/x/unknown"
        }) {
            var reply = server.get(path);
            assertThat(reply.code()).as(path).isEqualTo(404);
            assertThat(reply.text("kind")).isEqualTo("Status");
        }
        for (String path : List.of("/apis/example.com/v1/gadgets", "/nothing", "/apis/example.com")) {
            var reply = server.get(path, "*/*");
            assertThat(reply.statusCode()).as(path).isEqualTo(404);
            assertThat(reply.body()).isEqualTo("404 page not found\n");
        }
        var create = server.post(SERVICES, "{\"kind\":\"Gadget\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"g\"}}");
        assertThat(create.code()).isEqualTo(400);
        assertThat(create.message()).startsWith("kind: ").contains("\"Gadget\"");
    }

    @Test
    void methods_and_media_types_are_checked() throws Exception {
        assertThat(server.send("PUT", SERVICES, "application/json", "{}").code())
                .isEqualTo(405);
        assertThat(server.send("POST", "/version", "application/json", "{}").code())
                .isEqualTo(405);
        assertThat(server.post("/api/v1/services", "{}").code()).isEqualTo(405);
        assertThat(server.send("POST", SERVICES, "text/plain", "x").code()).isEqualTo(415);
        assertThat(server.send("PATCH", SERVICES + "/taken", "application/json", "{}")
                        .code())
                .isEqualTo(415);
        var html = server.get(SERVICES, "text/html");
        assertThat(html.statusCode()).isEqualTo(406);
        assertThat(Json.text(Json.parse(html.body()), "reason")).isEqualTo("NotAcceptable");
    }

    @Test
    void protobuf_readers_that_take_json_too_get_json() throws Exception {
        var reply = server.get(SERVICES, "application/vnd.kubernetes.protobuf, application/json");

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Content-Type")).hasValue("application/json");
    }

    @Test
    void a_body_or_a_header_that_is_too_large_is_refused() throws Exception {
        var body = server.post(SERVICES, "{\"x\":\"" + "y".repeat(BodyBytes.LIMIT) + "\"}");
        assertThat(body.code()).isEqualTo(413);
        assertThat(body.message()).contains(Integer.toString(BodyBytes.LIMIT));

        var header = server.get(SERVICES + "?labelSelector=" + "a".repeat(40_000));
        assertThat(header.code()).isBetween(414, 431);
        assertThat(header.text("kind")).isEqualTo("Status");
    }

    @Test
    void a_field_that_cannot_be_selected_by_is_told_those_that_can_in_order() throws Exception {
        assertThat(server.get(SERVICES + "?fieldSelector=spec.colour%3Dred").message())
                .endsWith("(these are: metadata.name, metadata.namespace, spec.clusterIP, spec.type)");
    }

    @Test
    void numbers_in_the_query_must_be_numbers() throws Exception {
        for (String query : new String[] {
            "?resourceVersion=abc", "?resourceVersion=-1", "?watch=true&timeoutSeconds=soon", "?continue=abc"
        }) {
            assertThat(server.get(SERVICES + query).code()).as(query).isEqualTo(400);
        }
        assertThat(server.post(SERVICES + "?dryRun=Some", "{}").code()).isEqualTo(422);
    }

    @Test
    void what_is_no_http_at_all_gets_an_error_and_a_closed_connection() throws Exception {
        int port = Integer.parseInt(server.url().substring(server.url().lastIndexOf(':') + 1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("NONSENSE\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 400 ");
        }
    }
}
