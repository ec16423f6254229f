package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Strategic merge and server-side apply, over HTTP.
@Timeout(60)
final class ApplyTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static TestServer.Reply apply(String path, String yaml) throws Exception {
        return server.send("PATCH", path, "application/apply-patch+yaml", yaml);
    }

    private static String service(String name, String spec) {
        return "{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: %s}".formatted(name, spec);
    }

    @Test
    void an_apply_creates_then_changes_then_changes_nothing() throws Exception {
        String one = service("web", "{selector: {a: b}, ports: [{port: 80}]}");
        String two = service("web", "{selector: {a: b}, ports: [{port: 80, name: http}, {port: 443, name: https}]}");

        var created = apply(SERVICES + "/web?fieldManager=me", one);
        var changed = apply(SERVICES + "/web?fieldManager=me", two);
        var same = apply(SERVICES + "/web?fieldManager=me", two);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("spec", "clusterIP")).isNotEmpty();
        assertThat(changed.code()).isEqualTo(200);
        assertThat(Json.list(changed.body(), port -> Json.number(port, 0, "port"), "spec", "ports"))
                .containsExactly(80, 443);
        assertThat(same.body()).isEqualTo(changed.body());
        assertThat(changed.text("spec", "clusterIP")).isEqualTo(created.text("spec", "clusterIP"));
    }

    @Test
    void who_creates_an_object_owns_its_spec_and_not_the_status_that_the_server_made() throws Exception {
        var created = server.post(SERVICES, Bodies.service("owned", "\"ports\":[{\"port\":80}]"));

        assertThat(created.body().path("status").has("loadBalancer")).isTrue();
        assertThat(created.body().path("metadata").path("managedFields").toString())
                .contains("f:spec")
                .doesNotContain("f:status");
    }

    @Test
    void what_is_no_longer_applied_goes() throws Exception {
        apply(SERVICES + "/less?fieldManager=me", service("less", "{ports: [{port: 1, name: a}, {port: 2, name: b}]}"));

        var less = apply(SERVICES + "/less?fieldManager=me", service("less", "{ports: [{port: 2, name: b}]}"));

        assertThat(Json.list(less.body(), port -> Json.number(port, 0, "port"), "spec", "ports"))
                .containsExactly(2);
    }

    @Test
    void a_field_of_another_manager_is_a_conflict_until_forced() throws Exception {
        server.post(
                SERVICES + "?fieldManager=kubectl-create",
                "{\"metadata\":{\"name\":\"taken\"},\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80}]}}");
        String body = service("taken", "{type: ClusterIP, ports: [{port: 80}]}");

        var refused = apply(SERVICES + "/taken?fieldManager=me", body);
        var forced = apply(SERVICES + "/taken?fieldManager=me&force=true", body);

        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.text("reason")).isEqualTo("Conflict");
        assertThat(refused.message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"kubectl-create\" using v1: .spec.type");
        assertThat(Json.at(refused.body(), "details", "causes").toString())
                .isEqualTo("[{\"reason\":\"FieldManagerConflict\",\"message\":"
                        + "\"conflict with \\\"kubectl-create\\\" using v1\",\"field\":\".spec.type\"}]");
        assertThat(forced.code()).isEqualTo(200);
        assertThat(forced.text("spec", "type")).isEqualTo("ClusterIP");
    }

    @Test
    void an_apply_needs_an_owner_and_a_kind() throws Exception {
        var ownerless = apply(SERVICES + "/nobody", service("nobody", "{}"));

        assertThat(ownerless.code()).isEqualTo(422);
        assertThat(ownerless.message()).contains("fieldManager: Required value: is required for apply patch");
        assertThat(apply(SERVICES + "/nobody?fieldManager=me", "{metadata: {name: nobody}}")
                        .code())
                .isEqualTo(400);
        assertThat(server.merge(SERVICES + "/nobody?force=true", "{}").code()).isEqualTo(422);
        assertThat(apply(SERVICES + "/nobody/status?fieldManager=me", service("nobody", "{}"))
                        .code())
                .isEqualTo(404);
    }

    @Test
    void a_status_is_applied_apart_from_the_rest() throws Exception {
        apply(SERVICES + "/lb?fieldManager=me", service("lb", "{type: LoadBalancer, ports: [{port: 80}]}"));

        var status = apply(
                SERVICES + "/lb/status?fieldManager=cloud",
                "{apiVersion: v1, kind: Service, metadata: {name: lb}, spec: {type: NodePort}, "
                        + "status: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}}");

        assertThat(status.code()).isEqualTo(200);
        assertThat(status.text("spec", "type")).isEqualTo("LoadBalancer");
        assertThat(status.body().path("status").toString()).contains("192.0.2.7");
        assertThat(status.body().path("metadata").path("managedFields").toString())
                .contains("\"subresource\":\"status\"");
    }

    @Test
    void a_strategic_patch_merges_ports_and_containers_by_their_keys() throws Exception {
        server.post(
                SERVICES,
                "{\"metadata\":{\"name\":\"merge\"},\"spec\":{\"ports\":[{\"port\":80,\"name\":\"a\"},"
                        + "{\"port\":81,\"name\":\"b\"}]}}");
        String type = "application/strategic-merge-patch+json";

        var patched = server.send(
                "PATCH",
                SERVICES + "/merge",
                type,
                "{\"spec\":{\"ports\":[{\"port\":81,\"name\":\"c\"},{\"port\":80,\"$patch\":\"delete\"}]}}");

        assertThat(patched.code()).isEqualTo(200);
        assertThat(Json.list(patched.body(), port -> Json.text(port, "name"), "spec", "ports"))
                .containsExactly("c");
        assertThat(server.send("PATCH", SERVICES + "/merge", type, "{\"spec\":{\"ports\":[{\"name\":\"x\"}]}}")
                        .code())
                .isEqualTo(400);
        assertThat(server.send("PATCH", SERVICES + "/merge", "application/json", "{}")
                        .code())
                .isEqualTo(415);
    }

    @Test
    void a_scale_takes_every_type_of_patch() throws Exception {
        server.post(DEPLOYMENTS, VerbsTest.deployment("size"));
        String scale = DEPLOYMENTS + "/size/scale";
        String spec = "{\"spec\":{\"replicas\":%d}}";

        List<TestServer.Reply> replies = List.of(
                server.merge(scale, spec.formatted(2)),
                server.send("PATCH", scale, "application/strategic-merge-patch+json", spec.formatted(3)),
                server.send(
                        "PATCH",
                        scale,
                        "application/json-patch+json",
                        "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":4}]"),
                apply(
                        scale + "?fieldManager=me&force=true",
                        "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: size}, spec: {replicas: 5}}"));

        assertThat(replies)
                .extracting(reply -> reply.number("spec", "replicas"))
                .containsExactly(2, 3, 4, 5);
        assertThat(server.get(DEPLOYMENTS + "/size").number("spec", "replicas")).isEqualTo(5);
    }
}
