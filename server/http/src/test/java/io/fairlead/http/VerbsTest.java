package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class VerbsTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

    @AutoClose
    private static final TestServer server = TestServer.running();

    static String pod(String name) {
        return """
            {"metadata":{"name":"%s","labels":{"app":"%s"}},"spec":{"containers":[{"name":"main","image":"x"}]}}\
            """.formatted(name, name);
    }

    static String deployment(String name) {
        return """
            {"metadata":{"name":"%s"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"a"}},
             "template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"main","image":"x"}]}}}}\
            """.formatted(name);
    }

    @Test
    void a_new_object_gets_an_identity_and_loses_the_fields_that_its_kind_has_not() throws Exception {
        var created = server.post(PODS, """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"whole","creationTimestamp":null},
             "spec":{"containers":[{"name":"main","image":"x"}],"somethingNew":{"deep":[1,{"x":true}]}}}\
            """);

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("metadata", "uid")).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(created.text("metadata", "creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(created.number("metadata", "generation")).isEqualTo(1);
        assertThat(created.version()).isNotEmpty();
        assertThat(created.body().path("spec").has("somethingNew")).isFalse();
        assertThat(server.get(PODS + "/whole").body()).isEqualTo(created.body());
    }

    @Test
    void a_second_object_of_the_same_name_is_refused() throws Exception {
        server.post(PODS, pod("twice"));

        var second = server.post(PODS, pod("twice"));

        assertThat(second.code()).isEqualTo(409);
        assertThat(second.text("reason")).isEqualTo("AlreadyExists");
        assertThat(second.message()).isEqualTo("pods \"twice\" already exists");
    }

    @Test
    void generate_name_gives_each_object_a_name_of_its_own() throws Exception {
        String body =
                "{\"metadata\":{\"generateName\":\"web-\"},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"x\"}]}}";

        String one = server.post(PODS, body).text("metadata", "name");
        String other = server.post(PODS, body).text("metadata", "name");

        assertThat(one).matches("web-[a-z0-9]{5}").isNotEqualTo(other);
    }

    @Test
    void the_body_must_agree_with_the_path() throws Exception {
        assertThat(server.post(PODS, "{\"metadata\":{\"name\":\"a\",\"namespace\":\"other\"}}")
                        .code())
                .isEqualTo(400);
        assertThat(server.put(PODS + "/a", "{\"metadata\":{\"name\":\"b\"}}").code())
                .isEqualTo(400);
        assertThat(server.post(PODS, "{\"kind\":\"Service\",\"apiVersion\":\"v1\"}")
                        .message())
                .contains("Service")
                .contains("takes a Pod");
    }

    @Test
    void an_object_needs_a_namespace_that_is_there() throws Exception {
        var created = server.post("/api/v1/namespaces/nowhere/pods", pod("lost"));

        assertThat(created.code()).isEqualTo(404);
        assertThat(created.message()).isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void what_is_not_there_cannot_be_got_changed_or_deleted() throws Exception {
        assertThat(server.get(PODS + "/missing").message()).isEqualTo("pods \"missing\" not found");
        assertThat(server.put(PODS + "/missing", pod("missing")).code()).isEqualTo(404);
        assertThat(server.merge(PODS + "/missing", "{}").code()).isEqualTo(404);
        assertThat(server.delete(PODS + "/missing").code()).isEqualTo(404);
        assertThat(server.get(DEPLOYMENTS + "/missing").message()).isEqualTo("deployments.apps \"missing\" not found");
    }

    @Test
    void an_update_of_an_old_version_is_a_conflict_and_changes_nothing() throws Exception {
        var first = server.post(PODS, pod("contended"));
        var second = server.merge(PODS + "/contended", "{\"metadata\":{\"labels\":{\"round\":\"two\"}}}");

        var late = server.put(PODS + "/contended", first.body().toString());

        assertThat(late.code()).isEqualTo(409);
        assertThat(late.text("reason")).isEqualTo("Conflict");
        assertThat(late.message()).contains("the object has been modified");
        assertThat(server.get(PODS + "/contended").body()).isEqualTo(second.body());
    }

    @Test
    void an_update_without_a_version_is_unconditional() throws Exception {
        server.post(PODS, pod("blind"));

        var updated = server.put(PODS + "/blind", pod("blind").replace("\"app\"", "\"role\""));

        assertThat(updated.code()).isEqualTo(200);
        assertThat(updated.text("metadata", "labels", "role")).isEqualTo("blind");
    }

    @Test
    void an_update_that_changes_nothing_takes_no_revision() throws Exception {
        var created = server.post(PODS, pod("calm"));

        var updated = server.put(PODS + "/calm", created.body().toString());

        assertThat(updated.version()).isEqualTo(created.version());
    }

    @Test
    void the_generation_counts_changes_to_the_spec_alone() throws Exception {
        server.post(DEPLOYMENTS, deployment("counted"));

        var labelled = server.merge(DEPLOYMENTS + "/counted", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        var scaled = server.merge(DEPLOYMENTS + "/counted", "{\"spec\":{\"replicas\":5}}");

        assertThat(labelled.number("metadata", "generation")).isEqualTo(1);
        assertThat(scaled.number("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void a_spec_write_leaves_the_status_and_a_status_write_the_spec() throws Exception {
        server.post(PODS, pod("split"));

        var status = server.merge(
                PODS + "/split/status", "{\"spec\":{\"nodeName\":\"n1\"},\"status\":{\"podIP\":\"10.1.0.5\"}}");
        var spec =
                server.merge(PODS + "/split", "{\"spec\":{\"nodeName\":\"n2\"},\"status\":{\"podIP\":\"10.9.9.9\"}}");

        assertThat(status.text("spec", "nodeName")).isEmpty();
        assertThat(spec.text("status", "podIP")).isEqualTo("10.1.0.5");
        assertThat(spec.text("spec", "nodeName")).isEqualTo("n2");
    }

    @Test
    void merge_patch_merges_objects_replaces_lists_and_removes_by_null() throws Exception {
        server.post(SERVICES, """
            {"metadata":{"name":"merged","labels":{"keep":"1","drop":"2"}},"spec":{"ports":[{"port":80}]}}\
            """);

        var patched = server.merge(
                SERVICES + "/merged",
                "{\"metadata\":{\"labels\":{\"drop\":null,\"new\":\"3\"}},\"spec\":{\"ports\":[{\"port\":81}]}}");

        assertThat(patched.body().path("metadata").path("labels"))
                .isEqualTo(Json.parse("{\"keep\":\"1\",\"new\":\"3\"}"));
        assertThat(patched.body().path("spec").path("ports").size()).isEqualTo(1);
        assertThat(patched.body()
                        .path("spec")
                        .path("ports")
                        .path(0)
                        .path("port")
                        .intValue())
                .isEqualTo(81);
    }

    @Test
    void a_json_patch_is_done_whole_or_not_at_all() throws Exception {
        var created = server.post(SERVICES, "{\"metadata\":{\"name\":\"jp\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        String type = "application/json-patch+json";

        var failed = server.send("PATCH", SERVICES + "/jp", type, """
            [{"op":"replace","path":"/spec/ports/0/port","value":81},
             {"op":"test","path":"/metadata/name","value":"other"}]\
            """);
        var done = server.send("PATCH", SERVICES + "/jp", type, """
            [{"op":"test","path":"/spec/ports/0/port","value":80},
             {"op":"add","path":"/metadata/labels","value":{"a":"b"}}]\
            """);

        assertThat(failed.code()).isEqualTo(422);
        assertThat(done.code()).isEqualTo(200);
        assertThat(done.text("metadata", "labels", "a")).isEqualTo("b");
        assertThat(done.text("spec", "clusterIP")).isEqualTo(created.text("spec", "clusterIP"));
    }

    @Test
    void a_patch_that_names_an_old_version_is_a_conflict() throws Exception {
        String old = server.post(PODS, pod("versioned")).version();
        server.merge(PODS + "/versioned", "{\"metadata\":{\"labels\":{\"a\":\"1\"}}}");

        var patched = server.merge(PODS + "/versioned", "{\"metadata\":{\"resourceVersion\":\"%s\"}}".formatted(old));

        assertThat(patched.code()).isEqualTo(409);
    }

    @Test
    void a_list_is_sorted_and_says_of_which_revision_it_is() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"listed\"}}");
        String pods = "/api/v1/namespaces/listed/pods";
        server.post(pods, pod("z"));
        var last = server.post(pods, pod("m"));

        var list = server.get(pods);

        assertThat(list.text("kind")).isEqualTo("PodList");
        assertThat(list.names()).containsExactly("m", "z");
        assertThat(Long.parseLong(list.version())).isGreaterThanOrEqualTo(Long.parseLong(last.version()));
        assertThat(server.get("/api/v1/pods").names()).contains("m", "z");
    }

    @Test
    void lists_are_cut_down_by_labels_and_fields() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"chosen\"}}");
        String services = "/api/v1/namespaces/chosen/services";
        server.post(services, """
            {"metadata":{"name":"plain","labels":{"tier":"front"}},"spec":{"ports":[{"port":80}]}}\
            """);
        server.post(services, """
            {"metadata":{"name":"headless","labels":{"service.kubernetes.io/service-proxy-name":"x"}},
             "spec":{"clusterIP":"None","ports":[{"port":80}]}}\
            """);

        assertThat(server.get(services + "?fieldSelector=spec.clusterIP!%3DNone")
                        .names())
                .containsExactly("plain");
        assertThat(server.get(services + "?fieldSelector=metadata.name%3Dheadless")
                        .names())
                .containsExactly("headless");
        assertThat(server.get(services + "?labelSelector=!service.kubernetes.io/service-proxy-name")
                        .names())
                .containsExactly("plain");
        assertThat(server.get(services + "?labelSelector=tier!%3Dfront").names())
                .containsExactly("headless");
        assertThat(server.get(services + "?fieldSelector=spec.foo%3Dx").code()).isEqualTo(400);
        assertThat(server.get(services + "?labelSelector=a%20b").code()).isEqualTo(400);
    }

    @Test
    void a_read_waits_for_the_revision_it_names_or_says_that_it_is_too_new() throws Exception {
        var pod = server.post(PODS, pod("fresh"));

        assertThat(server.get(PODS + "/fresh?resourceVersion=" + pod.version()).code())
                .isEqualTo(200);
        var tooNew = server.get(PODS + "?resourceVersion=999999");
        assertThat(tooNew.code()).isEqualTo(504);
        assertThat(tooNew.body()
                        .path("details")
                        .path("causes")
                        .path(0)
                        .path("reason")
                        .stringValue())
                .isEqualTo("ResourceVersionTooLarge");
    }

    @Test
    void a_workload_can_be_scaled_by_its_subresource() throws Exception {
        server.post(DEPLOYMENTS, deployment("scaled"));
        String path = DEPLOYMENTS + "/scaled/scale";

        var scale = server.get(path);
        var put = server.put(path, scale.body().toString().replace("\"replicas\":2", "\"replicas\":7"));
        var stale = server.put(path, scale.body().toString());
        var patched = server.merge(path, "{\"spec\":{\"replicas\":3}}");

        assertThat(scale.text("kind")).isEqualTo("Scale");
        assertThat(scale.text("status", "selector")).isEqualTo("app=a");
        assertThat(put.number("spec", "replicas")).isEqualTo(7);
        assertThat(stale.code()).isEqualTo(409);
        assertThat(patched.number("spec", "replicas")).isEqualTo(3);
        assertThat(server.get(DEPLOYMENTS + "/scaled").number("spec", "replicas"))
                .isEqualTo(3);
        assertThat(server.merge(path, "{\"spec\":{\"replicas\":-1}}").code()).isEqualTo(422);
    }

    @Test
    void a_pod_is_bound_once() throws Exception {
        server.post(PODS, pod("placed"));
        String binding = "{\"kind\":\"Binding\",\"apiVersion\":\"v1\",\"target\":{\"kind\":\"Node\",\"name\":\"%s\"}}";

        assertThat(server.post(PODS + "/placed/binding", binding.formatted("n1"))
                        .code())
                .isEqualTo(201);
        assertThat(server.post(PODS + "/placed/binding", binding.formatted("n2"))
                        .code())
                .isEqualTo(409);
        assertThat(server.get(PODS + "/placed").text("spec", "nodeName")).isEqualTo("n1");
    }

    @Test
    void a_dry_run_answers_as_if_it_were_done_and_does_nothing() throws Exception {
        String body = "{\"metadata\":{\"name\":\"dry\"},\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80}]}}";

        var dry = server.post(SERVICES + "?dryRun=All", body);

        assertThat(dry.code()).isEqualTo(201);
        assertThat(dry.text("spec", "clusterIP")).startsWith("10.96.");
        assertThat(dry.version()).isEmpty();
        assertThat(server.get(SERVICES + "/dry").code()).isEqualTo(404);
        String wet = body.replace("\"dry\"", "\"wet\"")
                .replace("\"type\"", "\"clusterIP\":\"" + dry.text("spec", "clusterIP") + "\",\"type\"");
        assertThat(server.post(SERVICES, wet).code()).isEqualTo(201);
        assertThat(server.delete(SERVICES + "/wet?dryRun=All").code()).isEqualTo(200);
        assertThat(server.get(SERVICES + "/wet").code()).isEqualTo(200);
    }

    @Test
    void a_put_creates_a_service_that_is_not_there() throws Exception {
        var put = server.put(SERVICES + "/put", "{\"spec\":{\"ports\":[{\"port\":80}]}}");

        assertThat(put.code()).isEqualTo(201);
        assertThat(put.text("metadata", "name")).isEqualTo("put");
    }

    @Test
    void yaml_goes_in_and_comes_out() throws Exception {
        var created = server.send("POST", SERVICES, "application/yaml", """
            apiVersion: v1
            kind: Service
            metadata:
              name: yaml
            spec:
              ports:
              - port: 80
            """);

        assertThat(created.code()).isEqualTo(201);
        var yaml = server.get(SERVICES + "/yaml", "application/yaml");
        assertThat(yaml.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(yaml.body())
                .startsWith("apiVersion: v1\nkind: Service\nmetadata:\n")
                .contains("  - port: 80\n");
    }
}
