package io.fairlead.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.NameQuestion;
import io.fairlead.testkit.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ZoneScenariosTest {
    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#withNames")
    void every_question_is_answered_as_the_scenario_says(Scenario scenario) {
        assertThat(NameQuestion.of(scenario)).isNotEmpty().allSatisfy(question -> {
            Zone zone = Zone.of(scenario.snapshot(), ZoneText.settings(question.settings()));
            assertThat(ZoneText.answer(zone, question.name(), question.type()))
                    .as(question.toString())
                    .isEqualTo(question.answer());
        });
    }

    @Test
    void there_are_scenarios_of_names() {
        assertThat(Scenario.withNames()).hasSizeGreaterThan(3);
    }
}
