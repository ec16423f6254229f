package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class OpenApiPagesTest {
    private static final String OLD_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    @AutoClose
    private final TestServer server = TestServer.running();

    @Test
    void the_document_comes_as_json_or_as_protobuf() throws Exception {
        HttpResponse<String> json = server.get("/openapi/v2", "application/json");
        HttpResponse<String> protobuf = server.get("/openapi/v2", OLD_PROTOBUF + ",application/json;q=0.5");

        assertThat(type(json)).startsWith("application/json");
        assertThat(Json.text(Json.parse(json.body()), "swagger")).isEqualTo("2.0");
        assertThat(type(protobuf)).isEqualTo("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
        assertThat(protobuf.body()).contains("io.k8s.api.core.v1.ServiceSpec");
    }

    @Test
    void each_document_of_the_index_is_there_under_its_hash() throws Exception {
        JsonNode paths = json("/openapi/v3").path("paths");

        assertThat(paths.has("api/v1")).isTrue();
        assertThat(paths.has("apis/networking.k8s.io/v1")).isTrue();
        for (JsonNode entry : paths.values()) {
            String url = Json.text(entry, "serverRelativeURL");
            HttpResponse<String> document = server.get(url, "application/json");

            assertThat(document.statusCode()).as(url).isEqualTo(200);
            assertThat(document.headers().firstValue("ETag").orElse(""))
                    .isEqualTo("\"" + url.substring(url.indexOf('=') + 1) + "\"");
        }
    }

    @Test
    void old_groups_are_told_with_the_fields_of_today_but_need_no_selector() throws Exception {
        JsonNode definitions = json("/openapi/v2").path("definitions");
        assertThat(versions(definitions.path("io.k8s.api.apps.v1.Deployment"))).containsExactly("apps/v1");
        assertThat(versions(definitions.path("io.k8s.api.apps.v1beta1.Deployment")))
                .containsExactlyInAnyOrder("apps/v1beta1", "apps/v1beta2", "extensions/v1beta1");
        assertThat(Json.texts(definitions, "io.k8s.api.apps.v1.DeploymentSpec", "required"))
                .containsExactly("selector", "template");
        assertThat(Json.texts(definitions, "io.k8s.api.apps.v1beta1.DeploymentSpec", "required"))
                .containsExactly("template");
        for (String version : List.of("apps/v1beta1", "apps/v1beta2", "extensions/v1beta1")) {
            JsonNode document = json("/openapi/v3/apis/" + version);
            String path = "/apis/%s/namespaces/{namespace}/deployments/{name}".formatted(version);
            JsonNode patch = document.path("paths").path(path).path("patch");
            assertThat(Json.text(patch, "x-kubernetes-group-version-kind", "version"))
                    .as(version)
                    .isEqualTo(version.substring(version.indexOf('/') + 1));
        }
    }

    private static Stream<String> versions(JsonNode definition) {
        return definition
                .path("x-kubernetes-group-version-kind")
                .valueStream()
                .map(kind -> Json.text(kind, "group") + "/" + Json.text(kind, "version"));
    }

    @Test
    void a_form_or_a_group_that_is_not_there_is_refused() throws Exception {
        assertThat(server.get("/openapi/v2", "text/html").statusCode()).isEqualTo(406);
        assertThat(server.get("/openapi/v3/apis/nobody/v1", "application/json").statusCode())
                .isEqualTo(404);
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        return Json.parse(server.get(path, "*/*").body());
    }

    private static String type(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }
}
