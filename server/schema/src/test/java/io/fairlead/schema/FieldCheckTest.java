package io.fairlead.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldCheckTest {
    private static FieldFaults faults(String kind, String body) {
        return FieldCheck.of(Schemas.builtIn().find("v1", kind).orElseThrow(), Json.parse(body));
    }

    @Test
    void a_good_service_has_no_faults() {
        FieldFaults faults = faults("Service", """
            {"apiVersion": "v1", "kind": "Service",
             "metadata": {"name": "web", "labels": {"any.name/at-all": "x"}, "creationTimestamp": null},
             "spec": {"ports": [{"port": 80, "targetPort": "http"}, {"port": 81, "targetPort": 8080}],
                      "selector": {"app": "web"}},
             "status": {"loadBalancer": {}}}\
            """);

        assertThat(faults.unknown()).isEmpty();
        assertThat(faults.wrongTypes()).isEmpty();
    }

    @Test
    void an_unknown_field_is_named_with_its_path() {
        assertThat(faults("Service", """
            {"spec": {"foo": 1, "ports": [{"port": 80}, {"port": 81, "prot": "TCP"}]}, "extra": {}}\
            """).unknown())
                .containsExactly(
                        "unknown field \"spec.foo\"",
                        "unknown field \"spec.ports[1].prot\"",
                        "unknown field \"extra\"");
    }

    @Test
    void names_are_compared_with_their_case() {
        assertThat(faults("Service", """
            {"spec": {"clusterip": "None"}}\
            """).unknown()).containsExactly("unknown field" + " \"spec.clusterip\"");
    }

    @Test
    void the_error_for_a_wrong_type_is_in_the_words_of_go() {
        assertThat(faults("Service", """
            {"metadata": {"labels": {"a": 1}},
             "spec": {"ports": [{"port": "80"}], "type": true, "selector": []}}\
            """).wrongTypes())
                .containsExactly(
                        "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
                        "json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32",
                        "json: cannot unmarshal bool into Go struct field ServiceSpec.spec.type of type string",
                        "json: cannot unmarshal array into Go struct field ServiceSpec.spec.selector"
                                + " of type map[string]string");
    }

    @Test
    void numbers_must_fit() {
        assertThat(faults("Service", """
            {"spec": {"ports": [{"port": 2147483648}, {"port": 1.5}, {"targetPort": 2147483648}]}}\
            """).wrongTypes())
                .containsExactly(
                        "json: cannot unmarshal number 2147483648 into Go struct field ServicePort.spec.ports.port"
                                + " of type int32",
                        "json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.port"
                                + " of type int32",
                        "json: cannot unmarshal number 2147483648 into Go struct field"
                                + " ServicePort.spec.ports.targetPort of type int32");
    }

    @Test
    void texts_with_a_form_are_held_to_it() {
        assertThat(faults("Secret", """
            {"metadata": {"creationTimestamp": "yesterday"}, "data": {"key": "?"}}\
            """).wrongTypes())
                .containsExactly(
                        "metadata.creationTimestamp: parsing time \"yesterday\" as"
                                + " \"2006-01-02T15:04:05Z07:00\" failed",
                        "data.key: illegal base64 data");
        assertThat(faults("Node", """
            {"status": {"capacity": {"cpu": 2, "memory": "64Mi", "pods": "many"}}}\
            """).wrongTypes())
                .containsExactly("status.capacity.pods: quantities must be a number with an optional suffix,"
                        + " like 500m, 2 or 64Mi");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-16T16:38:07Z",
                "0000-01-28T00:00:00Z",
                "2026-01-31T23:59:59Z",
                "2024-02-29T00:00:00Z",
                "2026-11-16T16:38:07.5Z",
                "2026-11-16T16:38:07+01:00"
            })
    void a_time_is_a_day_of_the_calendar_and_a_time_of_the_day(String time) {
        assertThat(faults("Secret", created(time)).wrongTypes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-02-29T00:00:00Z",
                "2026-01-00T00:00:00Z",
                "2026-01-01T24:00:01Z",
                "2026-01-01T00:60:00Z",
                "2026-01-01T00:00:60Z",
                "2026-01-01 00:00:00Z",
                "2026-01-01T00:00:00",
                "2026-01-0xT00:00:00Z"
            })
    void what_only_looks_like_a_time_is_none(String time) {
        assertThat(faults("Secret", created(time)).wrongTypes()).hasSize(1);
    }

    private static String created(String time) {
        return """
            {"metadata": {"creationTimestamp": "%s"}}\
            """.formatted(time);
    }

    @Test
    void a_body_that_is_no_object_is_of_no_kind() {
        assertThat(faults("Service", "[]").wrongTypes())
                .containsExactly("json: cannot unmarshal array into Go value of type v1.Service");
    }
}
