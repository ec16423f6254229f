package io.fairlead.commands;

import io.fairlead.forwarding.NodeFacts;
import io.fairlead.kubectl.Console;
import io.fairlead.sync.Mode;
import io.fairlead.sync.ModeChoice;
import io.fairlead.sync.ModeTable;
import io.fairlead.sync.ProxyModes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead modes`: the proxy modes, what each is made of, and whether this machine can run it.
@Command(
        name = "modes",
        description = "List the proxy modes, the layers each is made of, and whether this machine can run it (root).",
        footer = {"", "Example:", "  fairlead modes", "  fairlead modes --table"})
final class ModesCommand implements Runnable {
    private static final String ROW = "%-10s %-16s %s";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--table", description = "Also show what is different for connections from one mode to another.")
    private boolean table;

    ModesCommand(Main main) {}

    @Override
    public void run() {
        NodeFacts node = NodeFacts.of("modes", List.of());
        Console console = Console.of(spec);
        console.println(text(ProxyModes.ALL, mode -> ModeChoice.refusal(mode, node)));
        if (table) {
            console.println("\nIn what they differ (= as the specification says), as the tests saw it:\n");
            console.println(ModeTable.text().stripTrailing());
        }
    }

    /// A line for each mode; `refusal` says why this machine cannot run one.
    static String text(List<Mode> modes, Function<Mode, Optional<String>> refusal) {
        String rows = modes.stream()
                .map(mode -> ROW.formatted(
                        mode.name(),
                        mode.layers().stream().map(Mode.Layer::name).collect(Collectors.joining(" + ")),
                        refusal.apply(mode).map("no: "::concat).orElse("yes")))
                .collect(Collectors.joining("\n"));
        return ROW.formatted("MODE", "LAYERS", "HERE") + "\n" + rows;
    }
}
