package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ApiException;
import org.junit.jupiter.api.Test;

final class RefusalsTest {
    private static final String DOING = "error when applying \"x.yaml\" (document 1)";

    @Test
    void a_refusal_says_what_was_being_done() {
        ApiException fault = new ApiException(404, "NotFound", "services \"x\" not found");
        assertThat(Refusals.sentence(fault, DOING))
                .isEqualTo("Error from server (NotFound): " + DOING + ": services \"x\" not found");
    }
}
