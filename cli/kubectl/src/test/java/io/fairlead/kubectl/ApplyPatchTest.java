package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class ApplyPatchTest {

    @Test
    void what_is_already_so_needs_no_patch() {
        assertThat(patch(
                        "{}",
                        "{'spec': {'type': 'ClusterIP'}}",
                        "{'spec': {'type': 'ClusterIP', 'clusterIP': '10.96.0.7'}}"))
                .isEqualTo(json("{}"));
    }

    @Test
    void fields_of_the_manifest_are_set_and_those_of_others_are_left_alone() {
        assertThat(patch(
                        "{}",
                        "{'spec': {'type': 'NodePort', 'x': 1}}",
                        "{'spec': {'type': 'ClusterIP', 'y': 2}, 'status': {}}"))
                .isEqualTo(json("{'spec': {'type': 'NodePort', 'x': 1}}"));
    }

    @Test
    void fields_that_the_manifest_gave_up_are_removed() {
        assertThat(patch(
                        "{'labels': {'a': '1', 'b': '1'}}",
                        "{'labels': {'a': '1'}}",
                        "{'labels': {'a': '1', 'b': '1', 'c': '1'}}"))
                .isEqualTo(json("{'labels': {'b': null}}"));
        assertThat(patch("{'labels': {'b': '1'}}", "{'labels': {}}", "{'labels': {}}"))
                .as("another client removed it before us")
                .isEqualTo(json("{}"));
    }

    @Test
    void a_port_keeps_the_node_port_that_the_server_gave_it() {
        String live = "{'ports': [{'port': 80, 'protocol': 'TCP', 'targetPort': 8080, 'nodePort': 30080}]}";
        assertThat(patch("{}", "{'ports': [{'port': 80, 'targetPort': 8080}]}", live))
                .isEqualTo(json("{}"));
        assertThat(patch("{}", "{'ports': [{'port': 80, 'targetPort': 9090}, {'port': 443}]}", live))
                .isEqualTo(json("""
                        {'ports': [{'port': 80, 'protocol': 'TCP', 'targetPort': 9090, 'nodePort': 30080}, {'port': 443}]}"""));
    }

    @Test
    void a_field_given_up_inside_a_list_is_removed_there() {
        assertThat(patch(
                        "{'containers': [{'name': 'a', 'tty': true}]}",
                        "{'containers': [{'name': 'a'}]}",
                        "{'containers': [{'name': 'a', 'tty': true, 'image': 'x'}]}"))
                .isEqualTo(json("{'containers': [{'name': 'a', 'image': 'x'}]}"));
    }

    @Test
    void ports_of_two_protocols_are_two_ports() {
        String live =
                "{'ports': [{'port': 53, 'protocol': 'UDP', 'nodePort': 1}, {'port': 53, 'protocol': 'TCP', 'nodePort': 2}]}";
        assertThat(patch("{}", "{'ports': [{'port': 53}, {'port': 53, 'protocol': 'UDP'}]}", live))
                .isEqualTo(json("""
                        {'ports': [{'port': 53, 'protocol': 'TCP', 'nodePort': 2}, {'port': 53, 'protocol': 'UDP', 'nodePort': 1}]}"""));
    }

    @Test
    void a_list_of_plain_values_is_replaced_whole() {
        assertThat(patch("{}", "{'ips': ['a', 'b']}", "{'ips': ['a', 'c']}")).isEqualTo(json("{'ips': ['a', 'b']}"));
        assertThat(patch("{}", "{'ips': ['a']}", "{'ips': ['a']}")).isEqualTo(json("{}"));
    }

    @Test
    void null_in_a_manifest_means_absent() {
        assertThat(patch("{}", "{'a': null}", "{}")).isEqualTo(json("{}"));
        assertThat(patch("{}", "{'a': null}", "{'a': 1}")).isEqualTo(json("{'a': null}"));
    }

    @Test
    void an_applied_object_remembers_itself_as_kubectl_would() {
        ObjectNode object = (ObjectNode) json("{'kind': 'Service', 'metadata': {'name': 'a'}}");
        ObjectNode once = ApplyCommand.remembering(object);
        assertThat(Json.parse(Json.text(once, "metadata", "annotations", ApplyPatch.LAST_APPLIED)))
                .isEqualTo(json("{'kind': 'Service', 'metadata': {'name': 'a', 'annotations': {}}}"));
        assertThat(ApplyCommand.remembering(once)).as("it does not nest").isEqualTo(once);
        assertThat(object)
                .as("the manifest stays as it is")
                .isEqualTo(json("{'kind': 'Service', 'metadata': {'name': 'a'}}"));
    }

    private static JsonNode patch(String lastApplied, String wanted, String live) {
        return ApplyPatch.between(json(lastApplied), json(wanted), json(live));
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
