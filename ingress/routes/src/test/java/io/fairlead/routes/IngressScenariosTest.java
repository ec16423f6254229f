package io.fairlead.routes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IngressScenariosTest {
    @ParameterizedTest
    @MethodSource("io.fairlead.routes.IngressScenario#all")
    void each_request_becomes_what_the_scenario_says(IngressScenario scenario) {
        RouteTable table = RouteTable.of(scenario.snapshot(), IngressOwnership.DEFAULT);
        assertThat(scenario.lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(IngressScenario.text(table.answer(line.request())))
                        .as(line.text())
                        .isEqualTo(line.expected()));
    }
}
