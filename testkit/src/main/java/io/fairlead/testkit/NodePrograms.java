package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// The programs of a scenario's nodes as one text: what the rows of the first node add to the foundation, and where the
/// other nodes differ.
public final class NodePrograms {
    private NodePrograms() {}

    /// `lines` are those of one node, as [#added] gives them.
    public static String text(Scenario scenario, Function<ScenarioNode, List<String>> lines) {
        ScenarioNode first = scenario.nodes().getFirst();
        List<String> ofFirst = lines.apply(first);
        StringBuilder text = new StringBuilder("# %s: besides the foundation\n".formatted(first.name()));
        ofFirst.forEach(text::append);
        scenario.nodes().stream().skip(1).forEach(node -> {
            List<String> own = lines.apply(node);
            text.append(
                    "\n# %s: %s %s\n".formatted(node.name(), own.equals(ofFirst) ? "like" : "unlike", first.name()));
            ofFirst.stream()
                    .filter(line -> !own.contains(line))
                    .forEach(line -> text.append('-').append(line));
            own.stream()
                    .filter(line -> !ofFirst.contains(line))
                    .forEach(line -> text.append('+').append(line));
        });
        return text.toString();
    }

    /// What a program has besides its foundation, a line each; it must have all of that.
    public static <E extends Entry> List<String> added(Program<E> foundation, Program<E> program) {
        Patch<E> patch = Patch.between(foundation, program).sorted();
        assertThat(patch.removed()).isEmpty();
        return Stream.concat(patch.added().stream(), patch.changed().stream().map(Patch.Change::after))
                .map(entry -> entry + "\n")
                .toList();
    }
}
