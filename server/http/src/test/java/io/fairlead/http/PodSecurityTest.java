package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kinds.PodSecurityPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which pods namespaces take, and what their authors are warned of.
@Timeout(60)
final class PodSecurityTest {
    private static final String PRIVILEGED = """
        "containers":[{"name":"app","image":"app","securityContext":{"privileged":true}}]\
        """;
    private static final String PLAIN = """
        "containers":[{"name":"app","image":"app"}]\
        """;

    @AutoClose
    private static final TestServer server = TestServer.running(ApiServerConfig.at(TestServer.ANY_PORT)
            .withPodSecurity(PodSecurityPolicy.of(PodSecurityPolicy.Level.BASELINE)));

    @Test
    void a_pod_beyond_the_default_level_is_refused_with_all_that_is_wrong() throws Exception {
        var refused = server.post(pods("default"), pod("bad", "\"hostPID\":true," + PRIVILEGED));

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.text("reason")).isEqualTo("Forbidden");
        assertThat(refused.text("details", "kind")).isEqualTo("pods");
        assertThat(refused.message())
                .isEqualTo("pods \"bad\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces"
                        + " (hostPID=true), privileged (container \"app\" must not set"
                        + " securityContext.privileged=true)");
        assertThat(server.get(pods("default") + "/bad").code()).isEqualTo(404);
        assertThat(server.post(pods("kube-system"), pod("system", PRIVILEGED)).code())
                .isEqualTo(201);
    }

    @Test
    void labels_of_the_namespace_decide() throws Exception {
        namespace("strict", "\"pod-security.kubernetes.io/enforce\":\"restricted\"");
        namespace("open", """
            "pod-security.kubernetes.io/enforce":"privileged","pod-security.kubernetes.io/warn":"restricted"\
            """);

        assertThat(server.post(pods("strict"), pod("plain", PLAIN)).message())
                .contains("violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false");
        var warned = server.post(pods("open"), pod("plain", PRIVILEGED));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.warnings())
                .singleElement()
                .asString()
                .contains("would violate PodSecurity \\\"restricted:latest\\\"")
                .contains("privileged (container");
    }

    @Test
    void a_template_beyond_the_level_is_taken_with_a_warning() throws Exception {
        String deployment = """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{
            "selector":{"matchLabels":{"app":"web"}},
            "template":{"metadata":{"labels":{"app":"web"}},"spec":{%s}}}}\
            """.formatted(PRIVILEGED);

        var created = server.post("/apis/apps/v1/namespaces/default/deployments", deployment);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.warnings())
                .singleElement()
                .asString()
                .contains("would violate PodSecurity \\\"baseline:latest\\\": privileged");
    }

    @Test
    void a_pod_that_is_there_may_be_labelled_but_gets_no_privileged_visitor() throws Exception {
        server.post(pods("default"), pod("quiet", PLAIN));

        assertThat(server.merge(pods("default") + "/quiet", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                        .code())
                .isEqualTo(200);
        var visitor = server.merge(pods("default") + "/quiet/ephemeralcontainers", """
            {"spec":{"ephemeralContainers":[
            {"name":"look","image":"app","securityContext":{"privileged":true}}]}}\
            """);
        assertThat(visitor.code()).isEqualTo(403);
        assertThat(visitor.message()).contains("privileged (container \"look\"");
    }

    @Test
    void labels_that_say_nothing_known_are_refused() throws Exception {
        var refused = server.post("/api/v1/namespaces", """
            {"metadata":{"name":"odd","labels":{"pod-security.kubernetes.io/enforce":"strict",
            "pod-security.kubernetes.io/warn-version":"1.30"}}}\
            """);

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"strict\"")
                .contains("metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: \"1.30\"");
    }

    private static void namespace(String name, String labels) throws Exception {
        assertThat(server.post("/api/v1/namespaces", """
            {"metadata":{"name":"%s","labels":{%s}}}\
            """.formatted(name, labels))
                        .code())
                .isEqualTo(201);
    }

    private static String pods(String namespace) {
        return "/api/v1/namespaces/%s/pods".formatted(namespace);
    }

    private static String pod(String name, String spec) {
        return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(name, spec);
    }
}
