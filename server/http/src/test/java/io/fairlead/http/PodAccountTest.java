package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a pod gets of its ServiceAccount where the server signs tokens.
final class PodAccountTest {
    private static final String DEFAULT = "/api/v1/namespaces/default/";
    private static final String FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

    @TempDir
    Path dir;

    private static String pod(String name, String more) {
        return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x\"}]%s}}"
                .formatted(name, more);
    }

    @Test
    void a_pod_has_an_account_and_its_token_as_a_projected_volume() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin()) {
            JsonNode spec = admin.post(DEFAULT + "pods", pod("p", "")).body().path("spec");

            assertThat(Json.text(spec, "serviceAccountName")).isEqualTo("default");
            assertThat(Json.text(spec, "serviceAccount")).isEqualTo("default");
            JsonNode volume = spec.path("volumes").path(0);
            assertThat(Json.text(volume, "name")).matches("kube-api-access-[a-z0-9]{5}");
            assertThat(volume.path("projected")).isEqualTo(Json.parse("""
                {"sources": [
                   {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
                   {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
                   {"downwardAPI": {"items": [{"path": "namespace",
                      "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}],
                 "defaultMode": 420}\
                """));
            JsonNode mount =
                    spec.path("containers").path(0).path("volumeMounts").path(0);
            assertThat(Json.text(mount, "mountPath")).isEqualTo(FOLDER);
            assertThat(Json.flag(mount, false, "readOnly")).isTrue();
        }
    }

    @Test
    void a_pod_that_wants_no_token_gets_none_and_one_of_no_account_is_refused() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin()) {
            var without = admin.post(DEFAULT + "pods", pod("p", ",\"automountServiceAccountToken\":false"));
            assertThat(without.code()).isEqualTo(201);
            assertThat(without.body().path("spec").has("volumes")).isFalse();

            var refused = admin.post(DEFAULT + "pods", pod("q", ",\"serviceAccountName\":\"nobody\""));
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message()).contains("serviceaccount \"nobody\" not found");
        }
    }

    @Test
    void a_token_that_goes_with_a_pod_names_its_node() throws Exception {
        try (var server = GuardedServer.start(dir);
                var admin = server.admin()) {
            admin.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"node-1\"}}");
            admin.post(DEFAULT + "pods", pod("p", ",\"nodeName\":\"node-1\""));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> admin.get(DEFAULT + "serviceaccounts/default").code() == 200);

            var answer = admin.post(
                    DEFAULT + "serviceaccounts/default/token",
                    "{\"spec\":{\"boundObjectRef\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"name\":\"p\"}}}");

            String claims = Json.text(answer.body(), "status", "token").split("\\.", 3)[1];
            JsonNode about = Json.parse(new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8))
                    .path("kubernetes.io");
            assertThat(Json.text(about, "pod", "name")).isEqualTo("p");
            assertThat(Json.text(about, "node", "name")).isEqualTo("node-1");
            assertThat(Json.text(about, "node", "uid")).isNotEmpty();
        }
    }
}
