package io.fairlead.http;

import static io.fairlead.http.Bodies.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deployments as manifests of long ago write them (decision 035).
@Timeout(60)
final class OldManifestTest {
    @AutoClose
    private static final TestServer server = TestServer.running();

    @ParameterizedTest
    @ValueSource(strings = {"extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"})
    void an_old_deployment_is_taken_with_a_warning_and_stored_as_a_new_one(String version) throws Exception {
        String name = version.replace('/', '-');
        String path = "/namespaces/default/deployments";
        var created = server.post(
                "/apis/" + version + path,
                yaml("{apiVersion: " + version + ", kind: Deployment, metadata: {name: " + name + "}, spec: {template:"
                                + " {metadata: {labels: {app: old}}, spec: {containers: [{name: c, image: i}]}}}}")
                        .toString());

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("apiVersion")).isEqualTo(version);
        assertThat(created.warnings()).singleElement().asString().contains("use apps/v1 Deployment");
        var stored = server.get("/apis/apps/v1" + path + "/" + name);
        assertThat(stored.text("apiVersion")).isEqualTo("apps/v1");
        assertThat(stored.text("spec", "selector", "matchLabels", "app")).isEqualTo("old");
        assertThat(server.get("/apis/" + version + path + "/" + name).text("apiVersion"))
                .isEqualTo(version);
    }
}
