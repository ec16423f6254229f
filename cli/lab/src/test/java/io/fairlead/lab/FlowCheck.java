package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.Flow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Sends a flow for real, often enough to see all that may become of it.
final class FlowCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int LEAST = 60;

    private final ScenarioLab lab;
    private final Set<String> named;

    /// `named` are the differences that the mode may have, as the table of modes names them.
    FlowCheck(ScenarioLab lab, Set<String> named) {
        this.lab = lab;
        this.named = Set.copyOf(named);
    }

    /// Sends it, and gives in what the answers differed from what the scenario says.
    Set<String> check(Flow flow) {
        Question question = lab.question(flow);
        return switch (flow.outcome()) {
            case Flow.Outcome.Reaches reaches -> checkReaches(flow, question, lab.answers(flow, reaches));
            case Flow.Outcome.Stays(var arrivals) ->
                checkStays(flow, question, lab.answers(flow, new Flow.Outcome.Reaches(arrivals)));
            default -> {
                checkNothing(flow, question);
                yield Set.of();
            }
        };
    }

    private static void checkNothing(Flow flow, Question question) {
        switch (flow.outcome()) {
            case Flow.Outcome.Reaches _, Flow.Outcome.Stays _ -> throw new IllegalArgumentException(flow.text());
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

    private Set<String> checkReaches(Flow flow, Question question, List<List<Question.Reply>> possible) {
        Set<String> differences = new TreeSet<>();
        Set<String> reached = new HashSet<>();
        for (int i = 0; i < times(possible.size()); i++) {
            Question.Reply reply = question.ask(PATIENCE);
            difference(flow, reply, possible, i).ifPresent(differences::add);
            reached.add(name(reply));
        }
        assertThat(reached)
                .as("%s: who was reached", flow.text())
                .containsExactlyInAnyOrderElementsOf(possible.stream()
                        .map(replies -> name(replies.getFirst()))
                        .distinct()
                        .toList());
        return differences;
    }

    private Set<String> checkStays(Flow flow, Question question, List<List<Question.Reply>> possible) {
        Question.Reply first = question.ask(PATIENCE);
        Optional<String> difference = difference(flow, first, possible, 0);
        for (int i = 0; i < LEAST / 2; i++) {
            assertThat(name(question.ask(PATIENCE)))
                    .as("%s, connection %d", flow.text(), i)
                    .isEqualTo(name(first));
        }
        return difference.map(Set::of).orElse(Set.of());
    }

    /// Fails if the mode may not differ so.
    private Optional<String> difference(
            Flow flow, Question.Reply reply, List<List<Question.Reply>> possible, int connection) {
        if (possible.stream().anyMatch(replies -> replies.contains(reply))) {
            return Optional.empty();
        }
        Optional<String> source = lab.otherSource(flow, reply, possible).filter(named::contains);
        if (source.isEmpty()) {
            assertThat(reply)
                    .as("%s, connection %d", flow.text(), connection)
                    .isIn(possible.stream().flatMap(List::stream).toList());
        }
        return source;
    }

    private static String name(Question.Reply reply) {
        return reply instanceof Question.Reply.Answered(String name, var _) ? name : reply.toString();
    }

    /// So often that of `choices` equal ones each is seen: that one is missed by chance happens once in 10^9 times.
    private static int times(int choices) {
        return choices == 1 ? LEAST / 4 : Math.max(LEAST, (int) Math.ceil(choices * (Math.log(choices) + 20.7)));
    }
}
