package io.fairlead.sync;

import io.fairlead.forwarding.Note;
import io.fairlead.forwarding.Program;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What stands in the kernel for one mode: a Program for each of its layers, the lowest first.
record LayeredProgram(List<OfLayer> layers) {
    record OfLayer(String layer, Program<?> program) {}

    LayeredProgram {
        layers = List.copyOf(layers);
    }

    int size() {
        return layers.stream().mapToInt(each -> each.program().size()).sum();
    }

    /// What the layers cannot do as asked; each says it once for a row.
    Stream<Note> notes() {
        return layers.stream().flatMap(each -> each.program().notes().values().flatMap(List::stream));
    }

    String text() {
        return layers.stream()
                .map(each -> "# %s program, %d entries\n%s"
                        .formatted(
                                each.layer(),
                                each.program().size(),
                                each.program().text()))
                .collect(Collectors.joining());
    }
}
