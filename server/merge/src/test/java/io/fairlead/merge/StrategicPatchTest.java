package io.fairlead.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import io.fairlead.schema.Schemas;
import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class StrategicPatchTest {
    private static final KindMerge SERVICE = new KindMerge(Schemas.builtIn(), "v1", "Service");
    private static final KindMerge POD = new KindMerge(Schemas.builtIn(), "v1", "Pod");
    private static final KindMerge DEPLOYMENT = new KindMerge(Schemas.builtIn(), "apps/v1", "Deployment");

    /// The spec of a Service before, the patch of the spec, and the spec after it.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{type: ClusterIP};{type: NodePort};{type: NodePort}",
                "{type: ClusterIP, clusterIP: None};{clusterIP: null};{type: ClusterIP}",
                "{selector: {a: x, b: y}};{selector: {a: null, c: z}};{selector: {b: y, c: z}}",
                "{selector: {a: x}};{selector: {$patch: replace, c: z}};{selector: {c: z}}",
                "{selector: {a: x}, type: ClusterIP};{selector: {$patch: delete}};{type: ClusterIP}",
                "{selector: {a: x, b: y}};{selector: {$retainKeys: [b, c], c: z}};{selector: {b: y, c: z}}",
                "{ports: [{port: 80}]};{ports: [{port: 80, name: web}]};{ports: [{port: 80, name: web}]}",
                "{ports: [{port: 80}]};{ports: [{port: 443}]};{ports: [{port: 443}, {port: 80}]}",
                "{ports: [{port: 80}, {port: 81}]};{ports: [{port: 80, $patch: delete}]};{ports: [{port: 81}]}",
                "{ports: [{port: 80}, {port: 81}]};{ports: [{$patch: replace}, {port: 9}]};{ports: [{port: 9}]}",
                "{ports: [{port: 80}]};{ports: [{port: 80, $patch: delete}]};{ports: []}",
                "{ports: [{port: 80}]};{ports: null};{}",
                "{};{ports: [{port: 80, name: null}]};{ports: [{port: 80}]}",
                "{ports: [{port: 1}, {port: 2}]};{$setElementOrder/ports: [{port: 2}, {port: 1}]};"
                        + "{ports: [{port: 2}, {port: 1}]}",
                "{ports: [{port: 1}, {port: 2}, {port: 3}]};"
                        + "{$setElementOrder/ports: [{port: 3}, {port: 4}, {port: 1}], ports: [{port: 4}]};"
                        + "{ports: [{port: 2}, {port: 3}, {port: 4}, {port: 1}]}",
                "{externalIPs: [a, b]};{externalIPs: [c]};{externalIPs: [c]}",
                "{sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}};{sessionAffinityConfig: {clientIP: null}};"
                        + "{sessionAffinityConfig: {}}",
                "{unheardOf: {a: 1}, list: [1]};{unheardOf: {b: 2}, list: [2]};{unheardOf: {a: 1, b: 2}, list: [2]}",
            })
    void the_spec_of_a_service(String before, String patch, String after) {
        assertThat(patched(SERVICE, spec(before), spec(patch))).isEqualTo(spec(after));
    }

    @Test
    void one_of_two_items_with_the_same_merge_key_is_changed_and_none_is_lost() {
        ObjectNode before = spec("{ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]}");

        assertThat(patched(SERVICE, before, spec("{ports: [{port: 53, protocol: TCP, name: long}]}")))
                .isEqualTo(spec("{ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP, name: long}]}"));
        assertThat(patched(SERVICE, spec("{}"), before)).isEqualTo(before);
        assertThat(patched(SERVICE, before, spec("{ports: [{port: 80}]}"))
                        .path("spec")
                        .path("ports"))
                .hasSize(3);
    }

    @Test
    void plain_values_are_added_once_and_deleted_by_a_directive() {
        ObjectNode before = object("{metadata: {finalizers: [a, b]}}");

        assertThat(patched(POD, before, object("{metadata: {finalizers: [b, c]}}")))
                .isEqualTo(object("{metadata: {finalizers: [a, b, c]}}"));
        assertThat(patched(POD, before, object("{metadata: {$deleteFromPrimitiveList/finalizers: [a]}}")))
                .isEqualTo(object("{metadata: {finalizers: [b]}}"));
        assertThat(patched(
                        POD,
                        before,
                        object("{metadata: {$setElementOrder/finalizers: [b, c], "
                                + "$deleteFromPrimitiveList/finalizers: [a], finalizers: [c]}}")))
                .isEqualTo(object("{metadata: {finalizers: [b, c]}}"));
    }

    @Test
    void lists_inside_of_items_merge_by_their_own_keys() {
        ObjectNode before = spec("""
            {containers: [{name: a, image: one, env: [{name: X, value: '1'}], args: [p]}, {name: b}]}\
            """);
        ObjectNode patch = spec("""
            {containers: [{name: a, env: [{name: Y, value: '2'}, {name: X, $patch: delete}], args: [q]}]}\
            """);

        assertThat(patched(POD, before, patch)).isEqualTo(spec("""
            {containers: [{name: a, image: one, env: [{name: Y, value: '2'}], args: [q]}, {name: b}]}\
            """));
    }

    @Test
    void what_kubectl_sends_when_a_strategy_changes_takes_the_other_keys_away() {
        ObjectNode before = spec("{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}");

        assertThat(patched(DEPLOYMENT, before, spec("{strategy: {$retainKeys: [type], type: Recreate}}")))
                .isEqualTo(spec("{strategy: {type: Recreate}}"));
    }

    @Test
    void a_kind_without_a_schema_has_no_strategy() {
        KindMerge unknown = new KindMerge(Schemas.builtIn(), "example.com/v1", "Widget");

        assertThat(unknown.strategic(Json.object(), Json.object())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{selector: {$patch: dance}};unknown patch type",
                "{ports: [{name: web}]};does not contain declared merge key: port",
                "{ports: web};a list is expected",
                "{selector: {$retainKeys: [a], b: c}};must name every field",
                "{$setElementOrder/ports: [{port: 1}], ports: [{port: 2}]};must name every item",
                "{ports: [{port: 1, $patch: dance}]};unknown patch type"
            })
    void a_patch_that_makes_no_sense_is_refused(String patch, String sentence) {
        assertThatThrownBy(() -> patched(SERVICE, spec("{ports: [{port: 1}]}"), spec(patch)))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(sentence);
    }

    private static JsonNode patched(KindMerge kind, ObjectNode before, ObjectNode patch) {
        return kind.strategic(before.deepCopy(), patch).orElseThrow();
    }

    private static ObjectNode spec(String yaml) {
        ObjectNode object = Json.object();
        object.set("spec", object(yaml));
        return object;
    }

    private static ObjectNode object(String yaml) {
        return (ObjectNode) Yaml.parseAll(yaml).getFirst();
    }
}
