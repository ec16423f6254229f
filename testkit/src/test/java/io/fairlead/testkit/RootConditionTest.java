package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

@ExtendWith(RootConditionTest.OwnContext.class)
final class RootConditionTest {
    /// Hands a test the context it runs in.
    static final class OwnContext implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == ExtensionContext.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context;
        }
    }

    @Test
    void with_the_right_a_test_runs(ExtensionContext context) {
        RootCondition condition = new RootCondition(true, true);
        assertThat(condition.evaluateExecutionCondition(context).isDisabled()).isFalse();
        assertThatCode(() -> condition.beforeEach(context)).doesNotThrowAnyException();
    }

    @Test
    void without_the_right_a_test_is_skipped_with_a_reason(ExtensionContext context) {
        RootCondition condition = new RootCondition(false, true);
        assertThat(condition.evaluateExecutionCondition(context).isDisabled()).isTrue();
        assertThat(condition.evaluateExecutionCondition(context).getReason()).contains(RootCondition.REASON);
    }

    @Test
    void without_the_right_a_test_fails_where_nothing_may_be_skipped(ExtensionContext context) {
        RootCondition condition = new RootCondition(false, false);
        assertThat(condition.evaluateExecutionCondition(context).isDisabled()).isFalse();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> condition.beforeEach(context))
                .withMessageContaining("CI=true");
    }

    @Test
    void the_right_is_read_from_the_effective_capabilities() {
        assertThat(RootCondition.isPermitted("Name:\tjava\nCapEff:\t000001ffffffffff\n"))
                .isTrue();
        assertThat(RootCondition.isPermitted("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n"))
                .isFalse();
        assertThat(RootCondition.isPermitted("CapEff:\t0000000000001000\n"))
                .as("CAP_NET_ADMIN alone")
                .isFalse();
        assertThat(RootCondition.isPermitted("")).isFalse();
    }
}
