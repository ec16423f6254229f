package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod;
import org.junit.jupiter.api.Test;

final class PodNamesTest {

    @Test
    void names_are_readable_and_unique_by_uid() {
        PodNames first = PodNames.of("fl-one", pod("web", "a"));
        PodNames second = PodNames.of("fl-one", pod("web", "b"));

        assertThat(first.namespace()).startsWith("fl-one_web-").isNotEqualTo(second.namespace());
        assertThat(first.link()).isNotEqualTo(second.link());
        assertThat(first.folder()).isNotEqualTo(second.folder());
    }

    @Test
    void names_fit_whatever_a_pod_is_called() {
        PodNames names = PodNames.of("fl-one", pod("../Very/" + "long".repeat(60), "a"));

        assertThat(names.link()).hasSizeLessThanOrEqualTo(15);
        assertThat(names.folder()).hasSizeLessThan(64).matches("[a-z0-9-]+");
    }

    @Test
    void the_prefix_of_one_node_is_not_the_beginning_of_anothers() {
        assertThat(PodNames.of("fl-a-b", pod("web", "u")).namespace())
                .doesNotStartWith(PodNames.namespacePrefix("fl-a"));
    }

    private static Pod pod(String name, String uid) {
        return TestPods.parse("{'metadata': {'name': '%s', 'uid': '%s'}}".formatted(name, uid));
    }
}
