package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.Flow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Sends a flow for real, often enough to see all that may become of it.
final class FlowCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int LEAST = 60;

    private final ScenarioLab lab;

    FlowCheck(ScenarioLab lab) {
        this.lab = lab;
    }

    void check(Flow flow) {
        Question question = lab.question(flow);
        switch (flow.outcome()) {
            case Flow.Outcome.Reaches reaches -> checkReaches(flow, question, lab.answers(flow, reaches));
            case Flow.Outcome.Stays(var arrivals) ->
                checkStays(flow, question, lab.answers(flow, new Flow.Outcome.Reaches(arrivals)));
            case Flow.Outcome.Leaves _ ->
                assertThat(question.ask(SILENCE))
                        .as(flow.text())
                        .isInstanceOfAny(Question.Reply.NoWay.class, Question.Reply.Silence.class);
            case Flow.Outcome.Refused _ ->
                assertThat(question.ask(PATIENCE)).as(flow.text()).isEqualTo(new Question.Reply.Refused());
            case Flow.Outcome.Dropped _ ->
                assertThat(question.ask(SILENCE)).as(flow.text()).isEqualTo(new Question.Reply.Silence());
        }
    }

    private static void checkReaches(Flow flow, Question question, List<List<Question.Reply>> possible) {
        List<Question.Reply> allowed = possible.stream().flatMap(List::stream).toList();
        Set<Question.Reply> seen = new HashSet<>();
        for (int i = 0; i < times(possible.size()); i++) {
            Question.Reply reply = question.ask(PATIENCE);
            assertThat(reply).as("%s, connection %d", flow.text(), i).isIn(allowed);
            seen.add(reply);
        }
        assertThat(possible)
                .as("%s: who was reached", flow.text())
                .allSatisfy(replies -> assertThat(seen).containsAnyElementsOf(replies));
    }

    private static void checkStays(Flow flow, Question question, List<List<Question.Reply>> possible) {
        List<Question.Reply> allowed = possible.stream().flatMap(List::stream).toList();
        Question.Reply first = question.ask(PATIENCE);
        assertThat(first).as(flow.text()).isIn(allowed);
        for (int i = 0; i < LEAST / 2; i++) {
            assertThat(question.ask(PATIENCE))
                    .as("%s, connection %d", flow.text(), i)
                    .isEqualTo(first);
        }
    }

    /// So often that of `choices` equal ones each is seen: that one is missed by chance happens once in 10^9 times.
    private static int times(int choices) {
        return choices == 1 ? LEAST / 4 : Math.max(LEAST, (int) Math.ceil(choices * (Math.log(choices) + 20.7)));
    }
}
