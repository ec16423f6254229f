package io.fairlead.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// One command of a [Transcript]: the lines before it, what is typed, and what each version of kubectl prints.
///
/// An output holds from its version on, until a later one has another.
///
/// @param remarks comments and empty lines before the command
/// @param outputs by the minor version from which they hold
record Step(List<String> remarks, String command, SortedMap<Integer, String> outputs) {
    Step {
        remarks = List.copyOf(remarks);
        outputs = new TreeMap<>(outputs);
    }

    /// What kubectl 1.`minor` prints; nothing if no version that old is known.
    String output(int minor) {
        SortedMap<Integer, String> until = outputs.headMap(minor + 1);
        return until.isEmpty() ? "" : until.get(until.lastKey());
    }

    /// The same with this output for kubectl 1.`minor`, and no version that says the same as the one before it.
    Step with(int minor, String output) {
        SortedMap<Integer, String> all = new TreeMap<>(outputs);
        if (all.isEmpty()) {
            all.put(Transcript.OLDEST, output);
        } else if (!output(minor).equals(output)) {
            all.put(minor, output);
        }
        return new Step(remarks, command, distinct(all));
    }

    private static SortedMap<Integer, String> distinct(SortedMap<Integer, String> all) {
        SortedMap<Integer, String> distinct = new TreeMap<>();
        all.forEach((minor, output) -> {
            if (distinct.isEmpty() || !distinct.get(distinct.lastKey()).equals(output)) {
                distinct.put(minor, output);
            }
        });
        return distinct;
    }

    /// The lines of the file: a command of several lines goes on after `> `.
    List<String> lines() {
        List<String> lines = new ArrayList<>(remarks);
        lines.add("$ " + command.replace("\n", "\n> "));
        outputs.forEach((minor, output) -> {
            if (minor > Transcript.OLDEST) {
                lines.add("[from 1.%d]".formatted(minor));
            }
            if (!output.isEmpty()) {
                lines.add(output);
            }
        });
        return lines;
    }
}
