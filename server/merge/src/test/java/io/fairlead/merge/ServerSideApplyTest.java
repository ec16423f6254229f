package io.fairlead.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import io.fairlead.merge.FieldOwner.Operation;
import io.fairlead.schema.Schemas;
import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class ServerSideApplyTest {
    private static final KindMerge SERVICE = new KindMerge(Schemas.builtIn(), "v1", "Service");
    private static final String FIRST = "2026-01-01T00:00:00Z";
    private static final String LATER = "2026-01-01T00:00:09Z";

    @Test
    void a_new_object_belongs_to_who_applied_it() {
        ObjectNode created = applied(Json.object(), "a", """
            {apiVersion: v1, kind: Service, metadata: {name: web, labels: {app: web}},
             spec: {selector: {app: web}, ports: [{port: 80, name: http}]}}\
            """);

        assertThat(Json.at(created, "metadata", "managedFields")).isEqualTo(parse("""
            [{manager: a, operation: Apply, apiVersion: v1, time: '2026-01-01T00:00:00Z', fieldsType: FieldsV1,
              fieldsV1: {
                'f:metadata': {'f:labels': {'f:app': {}}},
                'f:spec': {
                  'f:ports': {'k:{"port":80,"protocol":"TCP"}': {'.': {}, 'f:name': {}, 'f:port': {}}},
                  'f:selector': {}}}}]\
            """));
    }

    @Test
    void the_same_apply_again_changes_nothing_not_even_the_time() {
        ObjectNode created = applied(Json.object(), "a", "{spec: {ports: [{port: 80}], type: NodePort}}");

        ObjectNode again =
                done(SERVICE.apply(created, spec("{ports: [{port: 80}], type: NodePort}"), request("a", false, LATER)));

        assertThat(again).isEqualTo(created);
    }

    @Test
    void what_is_applied_no_longer_goes_if_no_other_owns_it() {
        ObjectNode both =
                applied(Json.object(), "a", "{metadata: {labels: {one: '1', two: '2'}}, spec: {type: NodePort}}");
        both = applied(both, "b", "{metadata: {labels: {two: '2'}}}");

        ObjectNode less = applied(both, "a", "{spec: {type: NodePort}}");

        assertThat(Json.map(less, "metadata", "labels")).containsOnlyKeys("two");
        assertThat(fieldsOf(less, "a").has("f:metadata")).isFalse();
    }

    @Test
    void items_of_a_keyed_list_have_owners_of_their_own() {
        ObjectNode service = applied(Json.object(), "a", "{spec: {ports: [{port: 80}, {port: 443}]}}");
        service = applied(service, "b", "{spec: {ports: [{port: 53, protocol: UDP}]}}");
        service = applied(service, "a", "{spec: {ports: [{port: 443}]}}");

        assertThat(service.path("spec").path("ports")).isEqualTo(parse("[{port: 443}, {port: 53, protocol: UDP}]"));
    }

    @Test
    void applied_items_stand_in_their_order_and_others_stay() {
        ObjectNode service = applied(Json.object(), "a", "{spec: {ports: [{port: 1}, {port: 2}, {port: 3}]}}");

        assertThat(applied(service, "b", "{spec: {ports: [{port: 3}, {port: 1}]}}")
                        .path("spec")
                        .path("ports"))
                .isEqualTo(parse("[{port: 3}, {port: 1}, {port: 2}]"));
    }

    @Test
    void another_value_for_a_field_of_another_owner_is_a_conflict() {
        ObjectNode service = updated(Json.object(), spec("{ports: [{port: 80, protocol: TCP, nodePort: 30000}]}"));

        Applied refused = SERVICE.apply(
                service,
                spec("{ports: [{port: 80, protocol: TCP, nodePort: 30001}]}"),
                request("kubectl", false, LATER));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        Applied.Refused.class,
                        r -> assertThat(r.message())
                                .isEqualTo("Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\""
                                        + " using v1: .spec.ports[port=80,protocol=\"TCP\"].nodePort"));
    }

    @Test
    void several_conflicts_are_told_by_owner() {
        ObjectNode service = updated(Json.object(), spec("{type: NodePort, sessionAffinity: None}"));

        Applied refused = SERVICE.apply(
                service, spec("{type: ClusterIP, sessionAffinity: ClientIP}"), request("x", false, LATER));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        Applied.Refused.class, r -> assertThat(r.message()).isEqualTo("""
                            Apply failed with 2 conflicts: conflicts with "kubectl-client-side-apply" using v1:
                            - .spec.sessionAffinity
                            - .spec.type\
                            """));
    }

    @Test
    void the_same_value_is_shared_and_force_takes_another_one_over() {
        ObjectNode service = updated(Json.object(), spec("{type: NodePort, sessionAffinity: None}"));

        ObjectNode shared = applied(service, "x", "{spec: {type: NodePort}}");
        ObjectNode forced = done(SERVICE.apply(shared, spec("{type: ClusterIP}"), request("x", true, LATER)));

        assertThat(fieldsOf(shared, "kubectl-client-side-apply").path("f:spec").has("f:type"))
                .isTrue();
        assertThat(fieldsOf(forced, "kubectl-client-side-apply"))
                .isEqualTo(parse("{'f:spec': {'f:sessionAffinity': {}}}"));
        assertThat(fieldsOf(forced, "x")).isEqualTo(parse("{'f:spec': {'f:type': {}}}"));
    }

    @Test
    void kubectl_takes_over_what_it_applied_from_the_client() {
        String last = "{\"spec\":{\"type\":\"NodePort\"}}";
        ObjectNode live = updated(Json.object(), (ObjectNode) parse("""
            {metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: '%s'}}, spec: {type: NodePort}}\
            """.formatted(last)));

        Applied taken = SERVICE.apply(live, spec("{type: ClusterIP}"), request("kubectl", false, LATER));

        assertThat(Json.text(
                        done(taken), "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"))
                .contains("ClusterIP");
        assertThat(SERVICE.apply(live, spec("{type: ClusterIP}"), request("other", false, LATER)))
                .isInstanceOf(Applied.Refused.class);
    }

    @Test
    void an_object_from_before_the_books_is_owned_by_the_past() {
        ObjectNode live = spec("{type: NodePort}");

        assertThat(SERVICE.apply(live, spec("{type: ClusterIP}"), request("x", false, LATER)))
                .isInstanceOfSatisfying(
                        Applied.Refused.class,
                        r -> assertThat(r.message()).contains("\"before-first-apply\" using v1"));
    }

    @Test
    void updates_are_tracked_with_what_they_added_changed_and_removed() {
        ObjectNode first = updated(Json.object(), spec("{type: NodePort, selector: {a: b}}"));
        ObjectNode next = first.deepCopy();
        next.set("spec", parse("{type: ClusterIP}"));
        SERVICE.track(first, next, new FieldOwner("editor", Operation.UPDATE, "v1", ""), LATER);

        assertThat(fieldsOf(next, "editor")).isEqualTo(parse("{'f:spec': {'f:type': {}}}"));
        assertThat(Json.at(next, "metadata", "managedFields")).hasSize(1);
    }

    @Test
    void the_books_can_be_cleared_and_then_stay_so() {
        ObjectNode first = updated(Json.object(), spec("{type: NodePort}"));
        ObjectNode cleared = first.deepCopy();
        cleared.withObjectProperty("metadata").set("managedFields", parse("[{}]"));
        SERVICE.track(first, cleared, new FieldOwner("editor", Operation.UPDATE, "v1", ""), LATER);

        assertThat(cleared.path("metadata").has("managedFields")).isFalse();
    }

    @Test
    void many_updaters_become_one() {
        ObjectNode object = updated(Json.object(), spec("{type: NodePort}"));
        for (int i = 0; i < 30; i++) {
            ObjectNode next = object.deepCopy();
            next.withObjectProperty("metadata").withObjectProperty("labels").put("l" + i, "x");
            String time = "2026-01-01T00:01:%02dZ".formatted(i);
            SERVICE.track(object, next, new FieldOwner("m" + i, Operation.UPDATE, "v1", ""), time);
            object = next;
        }

        assertThat(Json.at(object, "metadata", "managedFields")).hasSize(Ownership.MOST_UPDATERS);
        assertThat(fieldsOf(object, Ownership.ANCIENT).path("f:spec").has("f:type"))
                .isTrue();
    }

    @Test
    void managed_fields_and_doubled_items_are_not_applied() {
        assertThatThrownBy(() -> applied(Json.object(), "a", "{metadata: {managedFields: [{manager: b}]}}"))
                .hasMessageContaining("managedFields must be nil");
        ObjectNode service = applied(Json.object(), "a", "{spec: {ports: [{port: 1}]}}");
        assertThatThrownBy(() -> applied(service, "a", "{spec: {ports: [{port: 1}, {port: 1, protocol: TCP}]}}"))
                .hasMessageContaining("[port=1,protocol=\"TCP\"]");
    }

    private static ObjectNode applied(ObjectNode live, String owner, String config) {
        return done(SERVICE.apply(live, (ObjectNode) parse(config), request(owner, false, FIRST)));
    }

    private static ObjectNode updated(ObjectNode before, ObjectNode after) {
        SERVICE.track(before, after, new FieldOwner("kubectl-client-side-apply", Operation.UPDATE, "v1", ""), FIRST);
        return after;
    }

    private static ServerSideApply.Request request(String owner, boolean force, String now) {
        return new ServerSideApply.Request(new FieldOwner(owner, Operation.APPLY, "v1", ""), force, now);
    }

    private static ObjectNode done(Applied applied) {
        return ((Applied.Done) applied).object();
    }

    private static JsonNode fieldsOf(JsonNode object, String owner) {
        return Json.at(object, "metadata", "managedFields")
                .valueStream()
                .filter(entry -> Json.text(entry, "manager").equals(owner))
                .findFirst()
                .orElseThrow()
                .path("fieldsV1");
    }

    private static ObjectNode spec(String yaml) {
        return (ObjectNode) parse("{spec: " + yaml + "}");
    }

    private static JsonNode parse(String yaml) {
        return Yaml.parseAll(yaml).getFirst();
    }
}
