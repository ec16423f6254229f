package io.fairlead.commands;

import io.fairlead.kubectl.Console;
import io.fairlead.lab.Topology;
import io.fairlead.up.ClusterLeftovers;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead cleanup`: removes what a killed cluster left on this machine.
@Command(
        name = "cleanup",
        description = "Remove what a killed \"up\" left: processes, network namespaces, links, routes and rules.",
        footer = {"", "Example:", "  fairlead cleanup"})
final class CleanupCommand implements Runnable {
    private final Main main;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--name", paramLabel = "NAME", description = "The name of the cluster. Default: fairlead.")
    private String name = Topology.DEFAULT_NAME;

    CleanupCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        List<String> removed = ClusterLeftovers.remove(name, main.cluster().dir());
        Console console = Console.of(spec);
        removed.forEach(line -> console.println("removed " + line));
        if (removed.isEmpty()) {
            console.println("nothing to remove");
        }
    }
}
