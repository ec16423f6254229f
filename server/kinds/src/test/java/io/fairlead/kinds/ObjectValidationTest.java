package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The rules for pods, workloads, endpoints, nodes and metadata.
final class ObjectValidationTest {
    private static List<String> problems(Function<JsonNode, List<Problem>> check, String json) {
        return check.apply(Json.parse(json)).stream().map(Problem::toString).toList();
    }

    @Test
    void a_pod_has_named_containers_with_ports_in_range() {
        assertThat(problems(PodValidation::check, "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"x\"}]}}"))
                .isEmpty();
        assertThat(problems(PodValidation::check, "{}")).containsExactly("spec.containers: Required value");
        assertThat(problems(PodValidation::check, """
            {"spec":{"containers":[{"name":"A","image":"x"},{"name":"b","image":"x","ports":[{"containerPort":0},{"name":"80"}]},{"name":"b"}],
             "restartPolicy":"Sometimes","terminationGracePeriodSeconds":-1}}\
            """))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[0].name: Invalid value: \"A\""))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[1].ports[0].containerPort: Required value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[1].ports[1].containerPort: Required value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[1].ports[1].name: Invalid value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[2].name: Duplicate value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.restartPolicy: Unsupported value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.terminationGracePeriodSeconds: Invalid value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.containers[2].image: Required value"))
                .hasSize(8);
    }

    @Test
    void a_pod_stays_on_its_node() {
        JsonNode free = Json.parse("{}");
        JsonNode one = Json.parse("{\"spec\":{\"nodeName\":\"one\"}}");
        JsonNode two = Json.parse("{\"spec\":{\"nodeName\":\"two\"}}");

        assertThat(PodValidation.checkUpdate(free, one)).isEmpty();
        assertThat(PodValidation.checkUpdate(one, two)).hasSize(1);
        assertThat(PodValidation.checkUpdate(one, free)).hasSize(1);
    }

    @Test
    void a_workload_selects_its_own_pods() {
        String template =
                "\"template\":{\"metadata\":{\"labels\":{\"app\":\"a\"}},\"spec\":{\"containers\":[{\"name\":\"m\",\"image\":\"x\"}]}}";
        assertThat(problems(
                        workload -> WorkloadValidation.check(Kind.DEPLOYMENT, workload),
                        "{\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"a\"}},%s}}".formatted(template)))
                .isEmpty();
        assertThat(problems(
                        workload -> WorkloadValidation.check(Kind.DEPLOYMENT, workload),
                        "{\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"b\"}},%s}}".formatted(template)))
                .singleElement()
                .asString()
                .startsWith("spec.template.metadata.labels")
                .contains("`selector` does not match");
        assertThat(problems(
                        workload -> WorkloadValidation.check(Kind.DEPLOYMENT, workload),
                        "{\"spec\":{%s}}".formatted(template)))
                .singleElement()
                .asString()
                .startsWith("spec.selector: Required value");
        assertThat(problems(
                        workload -> WorkloadValidation.check(Kind.DEPLOYMENT, workload),
                        "{\"spec\":{\"replicas\":-1,\"selector\":{},%s}}".formatted(template)))
                .hasSize(2);
    }

    @Test
    void the_expressions_of_a_selector_are_checked() {
        assertThat(problems(workload -> WorkloadValidation.check(Kind.DEPLOYMENT, workload), """
            {"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"Near"},{"key":"a","operator":"In"},
              {"key":"a","operator":"Exists","values":["x"]},{"key":"a"}]},
             "template":{"metadata":{"labels":{"a":"x"}},"spec":{"containers":[{"name":"m","image":"x"}]}}}}\
            """))
                .anySatisfy(
                        p -> assertThat(p).startsWith("spec.selector.matchExpressions[0].operator: Unsupported value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.selector.matchExpressions[1].values: Required value"))
                .anySatisfy(p -> assertThat(p).startsWith("spec.selector.matchExpressions[2].values: Forbidden"))
                .anySatisfy(
                        p -> assertThat(p).startsWith("spec.selector.matchExpressions[3].operator: Required value"));
    }

    @Test
    void a_slice_holds_addresses_of_its_type() {
        String slice = "{\"addressType\":\"IPv4\",\"endpoints\":[{\"addresses\":[\"%s\"]}],\"ports\":[{\"port\":80}]}";
        assertThat(problems(EndpointValidation::checkSlice, slice.formatted("10.1.0.5")))
                .isEmpty();
        assertThat(problems(EndpointValidation::checkSlice, slice.formatted("fd00::1")))
                .containsExactly("endpoints[0].addresses: Invalid value: \"fd00::1\": must be an IPv4 address");
        for (String wrong : List.of("host", "127.0.0.1", "169.254.1.1", "224.0.0.1", "0.0.0.0")) {
            assertThat(problems(EndpointValidation::checkSlice, slice.formatted(wrong)))
                    .as(wrong)
                    .singleElement()
                    .asString()
                    .startsWith("endpoints[0].addresses[0]: Invalid value");
        }
        assertThat(problems(EndpointValidation::checkSlice, "{\"endpoints\":[{}],\"ports\":[{\"port\":70000},{}]}"))
                .contains("endpoints[0].addresses: Required value: must contain at least 1 address")
                .anySatisfy(p -> assertThat(p).startsWith("addressType: Required value"))
                .anySatisfy(p -> assertThat(p).startsWith("ports[0].port: Invalid value: 70000"))
                .anySatisfy(p -> assertThat(p).startsWith("ports[1].name: Duplicate value"));
    }

    @Test
    void the_subsets_of_endpoints_hold_addresses_and_ports() {
        assertThat(problems(EndpointValidation::checkEndpoints, """
            {"subsets":[{"addresses":[{"ip":"10.1.0.5"}],"notReadyAddresses":[{"ip":"::1"}],"ports":[{}]}]}\
            """))
                .hasSize(2)
                .anySatisfy(p -> assertThat(p).startsWith("subsets[0].notReadyAddresses[0].ip: Invalid value"))
                .anySatisfy(p -> assertThat(p).startsWith("subsets[0].ports[0].port: Invalid value: 0"));
    }

    @Test
    void the_pod_blocks_of_a_node_are_cidrs_and_stay() {
        assertThat(problems(
                        NodeValidation::check,
                        "{\"spec\":{\"podCIDR\":\"10.1.0.0/24\",\"podCIDRs\":[\"10.1.0.0/24\"]}}"))
                .isEmpty();
        assertThat(problems(NodeValidation::check, "{\"spec\":{\"podCIDR\":\"10.1.0.0\",\"podCIDRs\":[\"x\"]}}"))
                .hasSize(3);
        assertThat(NodeValidation.checkUpdate(Json.parse("{\"spec\":{\"podCIDR\":\"10.1.0.0/24\"}}"), Json.parse("{}")))
                .hasSize(1);
    }

    @Test
    void metadata_is_checked_in_every_kind() {
        Function<JsonNode, List<Problem>> check =
                object -> MetadataValidation.check(object, name -> NameValidation.label(LetterCase.LOWER, name));
        assertThat(problems(check, "{\"metadata\":{\"name\":\"web\",\"labels\":{\"a\":\"b\"}}}"))
                .isEmpty();
        assertThat(problems(check, """
            {"metadata":{"name":"Web","labels":{"a b":"c","d":"e f"},"annotations":{"/x":"y"},"finalizers":["a b"],
             "ownerReferences":[{"kind":"Pod"}]}}\
            """))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.name: Invalid value: \"Web\""))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.labels: Invalid value: \"a b\""))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.labels: Invalid value: \"e f\""))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.annotations: Invalid value: \"/x\""))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.finalizers[0]: Invalid value: \"a b\""))
                .anySatisfy(p -> assertThat(p).startsWith("metadata.ownerReferences[0].uid: Required value"))
                .hasSize(8);
        assertThat(problems(check, "{}"))
                .containsExactly("metadata.name: Required value: name or generateName is required");
        assertThat(problems(
                        check,
                        "{\"metadata\":{\"name\":\"a\",\"annotations\":{\"a\":\"%s\"}}}"
                                .formatted("x".repeat(300_000))))
                .singleElement()
                .asString()
                .contains("262144");
    }
}
