package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final Node NODE = Node.of(Json.parse("""
        {"metadata":{"name":"n1","labels":{"disk":"ssd","cores":"16"}},
         "spec":{"taints":[{"key":"gpu","value":"a100","effect":"NoSchedule"},
                           {"key":"old","effect":"PreferNoSchedule"}]}}\
        """));

    private static Placement placement(String spec) {
        return Placement.of(Json.parse(spec));
    }

    private static boolean selects(String terms) {
        return placement("""
            {"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
             {"nodeSelectorTerms":[%s]}}}}\
            """.formatted(terms)).selects(NODE);
    }

    private static boolean holds(String requirement) {
        return selects("{\"matchExpressions\":[%s]}".formatted(requirement));
    }

    private static boolean bears(String tolerations) {
        return placement("{\"tolerations\":[%s]}".formatted(tolerations))
                .untolerated(NODE)
                .findAny()
                .isEmpty();
    }

    @Test
    void every_label_of_the_node_selector_must_be_there() {
        assertThat(placement("{}").selects(NODE)).isTrue();
        assertThat(placement("{\"nodeSelector\":{\"disk\":\"ssd\"}}").selects(NODE))
                .isTrue();
        assertThat(placement("{\"nodeSelector\":{\"disk\":\"ssd\",\"zone\":\"a\"}}")
                        .selects(NODE))
                .isFalse();
    }

    @Test
    void one_term_is_enough_and_a_term_that_asks_for_nothing_accepts_no_node() {
        assertThat(selects("")).isFalse();
        assertThat(selects("{}")).isFalse();
        assertThat(selects(
                        "{}, {\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"n1\"]}]}"))
                .isTrue();
        assertThat(selects("{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"n2\"]}]}"))
                .isFalse();
    }

    @Test
    void operators_mean_what_the_api_says() {
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"In\",\"values\":[\"hdd\",\"ssd\"]}"))
                .isTrue();
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"NotIn\",\"values\":[\"ssd\"]}"))
                .isFalse();
        assertThat(holds("{\"key\":\"zone\",\"operator\":\"NotIn\",\"values\":[\"a\"]}"))
                .isTrue();
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"Exists\"}")).isTrue();
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"DoesNotExist\"}")).isFalse();
        assertThat(holds("{\"key\":\"cores\",\"operator\":\"Gt\",\"values\":[\"8\"]}"))
                .isTrue();
        assertThat(holds("{\"key\":\"cores\",\"operator\":\"Lt\",\"values\":[\"16\"]}"))
                .isFalse();
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"Gt\",\"values\":[\"8\"]}"))
                .isFalse();
        assertThat(holds("{\"key\":\"disk\",\"operator\":\"Like\",\"values\":[\"s*\"]}"))
                .isFalse();
    }

    @Test
    void a_taint_is_borne_by_key_value_and_effect() {
        assertThat(bears("")).isFalse();
        assertThat(bears("{\"key\":\"gpu\",\"value\":\"a100\"}")).isTrue();
        assertThat(bears("{\"key\":\"gpu\",\"operator\":\"Equal\",\"value\":\"v100\"}"))
                .isFalse();
        assertThat(bears("{\"key\":\"gpu\",\"operator\":\"Exists\"}")).isTrue();
        assertThat(bears("{\"operator\":\"Exists\"}")).isTrue();
        assertThat(bears("{\"key\":\"gpu\",\"operator\":\"Exists\",\"effect\":\"NoExecute\"}"))
                .isFalse();
    }
}
