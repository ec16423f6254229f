package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.access.Subject;
import io.fairlead.api.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class OperatingTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @TempDir
    private Path dir;

    private GuardedServer server;
    private GuardedServer.Client admin;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.start(dir);
        admin = server.admin();
    }

    @AfterEach
    void stop() {
        admin.close();
        server.close();
    }

    @Test
    void health_is_told_check_by_check() throws Exception {
        assertThat(admin.get("/readyz").text()).isEqualTo("ok");
        assertThat(admin.get("/readyz?verbose").text())
                .isEqualTo("[+]bootstrap ok\n[+]cache ok\n[+]ping ok\n[+]store ok\nreadyz check passed\n");
        assertThat(admin.get("/livez?verbose&exclude=cache").text())
                .isEqualTo("[+]bootstrap ok\n[+]cache excluded: ok\n[+]ping ok\nlivez check passed\n");
        assertThat(admin.get("/healthz/store").text()).isEqualTo("ok");
        assertThat(admin.get("/healthz/nothing").code()).isEqualTo(404);
    }

    @Test
    void requests_are_counted_by_verb_resource_and_code() throws Exception {
        admin.get("/api/v1/pods");
        admin.get("/api/v1/namespaces/default/pods/none");
        String refused = "apiserver_request_total{code=\"404\",resource=\"pods\",verb=\"GET\"} 1";
        String text = admin.get("/metrics").text();
        // A request is counted once it is answered, which its client may know a moment before.
        for (int i = 0; i < 600 && !text.contains(refused); i++) {
            Thread.sleep(50);
            text = admin.get("/metrics").text();
        }
        assertThat(text)
                .contains("apiserver_request_total{code=\"200\",resource=\"pods\",verb=\"LIST\"} 1")
                .contains(refused)
                .contains("apiserver_request_duration_seconds_bucket");
    }

    @Test
    void writes_to_the_store_and_what_the_cache_holds_are_told() throws Exception {
        admin.post("/api/v1/namespaces/default/configmaps", account("a"));
        admin.post("/api/v1/namespaces/default/configmaps", account("b"));
        admin.send("DELETE", "/api/v1/namespaces/default/configmaps/a", "");

        assertThat(admin.get("/metrics").text())
                .contains("etcd_request_duration_seconds_count{operation=\"delete\",type=\"configmaps\"} 1")
                .containsPattern("etcd_request_duration_seconds_count\\{operation=\"create\",type=\"configmaps\"} \\d")
                .contains("apiserver_storage_objects{resource=\"services\"} 1.0")
                .containsPattern("apiserver_watch_cache_events\\{resource=\"configmaps\"} [3-9]");
    }

    private static String account(String name) {
        return "{\"metadata\": {\"name\": \"%s\"}}".formatted(name);
    }

    private String tokenOf(String account, String spec) throws Exception {
        var reply = admin.post(ACCOUNTS + "/" + account + "/token", spec);
        assertThat(reply.code()).as(reply.text()).isEqualTo(201);
        return Json.text(reply.body(), "status", "token");
    }

    @Test
    void an_account_comes_in_with_the_token_it_was_given() throws Exception {
        admin.post(ACCOUNTS, account("robot"));
        String token = tokenOf("robot", "{\"spec\": {\"expirationSeconds\": 600}}");
        try (var robot = server.bearer(token)) {
            assertThat(robot.get("/api/v1/pods").message())
                    .contains("User \"system:serviceaccount:default:robot\" cannot list resource \"pods\"");
            JsonNode review = admin.post(
                            "/apis/authentication.k8s.io/v1/tokenreviews",
                            "{\"spec\": {\"token\": \"%s\"}}".formatted(token))
                    .body();
            assertThat(Json.flag(review, false, "status", "authenticated")).isTrue();
            assertThat(Json.text(review, "status", "user", "username"))
                    .isEqualTo("system:serviceaccount:default:robot");
            admin.send("DELETE", ACCOUNTS + "/robot", "");
            assertThat(robot.get("/api/v1/pods").code()).isEqualTo(401);
        }
    }

    @Test
    void a_token_for_too_short_or_for_nothing_is_refused() throws Exception {
        admin.post(ACCOUNTS, account("robot"));
        var brief = admin.post(ACCOUNTS + "/robot/token", "{\"spec\": {\"expirationSeconds\": 60}}");
        assertThat(brief.code()).isEqualTo(422);
        assertThat(brief.message()).contains("may not specify a duration less than 10 minutes");
        assertThat(admin.post(ACCOUNTS + "/nobody/token", "{}").code()).isEqualTo(404);
        var unbound = admin.post(
                ACCOUNTS + "/robot/token", "{\"spec\": {\"boundObjectRef\": {\"kind\": \"Pod\", \"name\": \"none\"}}}");
        assertThat(unbound.code()).isEqualTo(404);
    }

    private void createPod(String name, String node) throws Exception {
        var created = admin.post(PODS, """
            {"metadata": {"name": "%s"}, "spec": {"nodeName": "%s",
             "containers": [{"name": "main", "image": "x", "envFrom": [{"secretRef": {"name": "s-%s"}}]}]}}
            """.formatted(name, node, node));
        assertThat(created.code()).as(created.text()).isEqualTo(201);
        admin.post("/api/v1/namespaces/default/secrets", "{\"metadata\": {\"name\": \"s-%s\"}}".formatted(node));
    }

    @Test
    void a_node_writes_only_what_is_its_own() throws Exception {
        createPod("mine", "n1");
        createPod("other", "n2");
        try (var node = server.as(Subject.node("n1"))) {
            assertThat(node.post("/api/v1/nodes", "{\"metadata\": {\"name\": \"n1\"}}")
                            .code())
                    .isEqualTo(201);
            assertThat(node.post("/api/v1/nodes", "{\"metadata\": {\"name\": \"n2\"}}")
                            .message())
                    .contains("node \"n1\" is not allowed to modify node \"n2\"");
            String ready = "{\"status\": {\"phase\": \"Running\"}}";
            assertThat(node.send("PATCH", PODS + "/mine/status", ready).code()).isEqualTo(200);
            assertThat(node.send("PATCH", PODS + "/other/status", ready).code()).isEqualTo(403);
            assertThat(node.send("DELETE", PODS + "/other", "").code()).isEqualTo(403);
            assertThat(node.get("/api/v1/namespaces/default/secrets/s-n1").code())
                    .isEqualTo(200);
            assertThat(node.get("/api/v1/namespaces/default/secrets/s-n2").code())
                    .isEqualTo(403);
            assertThat(node.get("/api/v1/namespaces/default/secrets").code()).isEqualTo(403);
        }
    }

    @Test
    void no_secret_and_no_token_is_in_a_log_or_an_error() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        String secrets = "/api/v1/namespaces/default/secrets";
        StringBuilder answers = new StringBuilder();
        try (var bob = server.bearer(GuardedServer.TOKEN);
                var liar = server.bearer("wr0ng-hunter2")) {
            admin.post(secrets, "{\"metadata\": {\"name\": \"s\"}, \"stringData\": {\"p\": \"hunter2\"}}");
            for (String bad : List.of(
                    "{\"metadata\": {\"name\": \"t\"}, \"stringData\": {\"p\": \"hunter2\"",
                    "{\"metadata\": {\"name\": \"t\"}, \"data\": {\"p\": \"hunter2!\"}}",
                    "{\"metadata\": {\"name\": \"t\"}, \"stringData\": [\"hunter2\"]}")) {
                answers.append(admin.post(secrets, bad).text());
            }
            answers.append(bob.post(secrets, "{\"data\": {\"p\": \"hunter2\"}}").text());
            answers.append(liar.get("/api/v1/pods").text());
        } finally {
            root.detachAppender(log);
        }
        String told = answers
                + server.auditText()
                + String.join(
                        "\n",
                        log.list.stream()
                                .map(ILoggingEvent::getFormattedMessage)
                                .toList());
        assertThat(told).doesNotContain("hunter2").doesNotContain(GuardedServer.TOKEN);
        List<JsonNode> lines = server.auditText().lines().map(Json::parse).toList();
        assertThat(lines)
                .anySatisfy(line -> {
                    assertThat(Json.text(line, "user")).isEqualTo("kubernetes-admin");
                    assertThat(Json.text(line, "verb")).isEqualTo("create");
                    assertThat(Json.text(line, "resource")).isEqualTo("secrets");
                    assertThat(Json.number(line, 0, "code")).isEqualTo(201);
                })
                .anySatisfy(line -> assertThat(Json.number(line, 0, "code")).isEqualTo(403));
    }
}
