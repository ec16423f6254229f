package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EphemeralContainersTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static TestServer.Reply add(String pod, String container) throws Exception {
        return server.send(
                "PATCH",
                PODS + "/" + pod + "/ephemeralcontainers",
                "application/strategic-merge-patch+json",
                "{\"spec\":{\"ephemeralContainers\":[%s]}}".formatted(container));
    }

    @Test
    void a_container_is_added_to_a_pod_and_nothing_else_of_it_changes() throws Exception {
        server.post(PODS, VerbsTest.pod("looked-into"));
        var added = add("looked-into", "{\"name\":\"debug\",\"image\":\"busybox\"}");
        assertThat(added.code()).as(added.message()).isEqualTo(200);
        var sly = server.merge(
                PODS + "/looked-into/ephemeralcontainers",
                "{\"metadata\":{\"labels\":{\"sly\":\"yes\"}},\"spec\":{\"nodeName\":\"elsewhere\"}}");
        assertThat(sly.code()).isEqualTo(200);
        var pod = server.get(PODS + "/looked-into/ephemeralcontainers");
        assertThat(pod.body().path("spec").path("ephemeralContainers")).hasSize(1);
        assertThat(pod.text("metadata", "labels", "sly")).isEmpty();
        assertThat(pod.text("spec", "nodeName")).isEmpty();
    }

    @Test
    void one_that_is_there_neither_goes_nor_changes() throws Exception {
        server.post(PODS, VerbsTest.pod("kept"));
        add("kept", "{\"name\":\"debug\",\"image\":\"busybox\"}");
        assertThat(add("kept", "{\"name\":\"debug\",\"image\":\"other\"}").message())
                .contains("existing ephemeral containers \"debug\" may not be changed");
        var removed = server.merge(PODS + "/kept/ephemeralcontainers", "{\"spec\":{\"ephemeralContainers\":[]}}");
        assertThat(removed.message()).contains("existing ephemeral containers \"debug\" may not be removed");
    }

    @Test
    void it_has_rules_of_its_own_and_comes_by_its_own_path_only() throws Exception {
        server.post(PODS, VerbsTest.pod("ruled"));
        assertThat(add("ruled", "{\"name\":\"d\",\"image\":\"i\",\"ports\":[{\"containerPort\":80}]}")
                        .message())
                .contains("spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container");
        assertThat(add("ruled", "{\"name\":\"as-kubectl\",\"image\":\"i\",\"resources\":{},\"ports\":[]}")
                        .code())
                .isEqualTo(200);
        assertThat(add("ruled", "{\"name\":\"d\",\"image\":\"i\",\"targetContainerName\":\"nobody\"}")
                        .message())
                .contains("must be the name of a container of this pod");
        assertThat(add("ruled", "{\"name\":\"d\"}").message()).contains("image: Required value");
        String container = "\"ephemeralContainers\":[{\"name\":\"d\",\"image\":\"i\"}]";
        assertThat(server.merge(PODS + "/ruled", "{\"spec\":{%s}}".formatted(container))
                        .code())
                .isEqualTo(422);
        assertThat(server.post(PODS, VerbsTest.pod("born").replace("\"containers\"", container + ",\"containers\""))
                        .message())
                .contains("spec.ephemeralContainers: Forbidden: cannot be set on create");
    }
}
