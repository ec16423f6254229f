package io.fairlead.cli;

import io.fairlead.client.ApiClient;
import io.fairlead.runtime.TaskGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The program `fairlead`: finds the command that was typed, runs it, and turns what went wrong into a sentence and an
/// exit code.
@Command(
        name = "fairlead",
        synopsisSubcommandLabel = "COMMAND",
        description = "The Service system of Kubernetes: one address for many pods, and a way to each of them.",
        footer = {
            "",
            "Start here:",
            "  fairlead up                      a whole cluster on this machine",
            "  fairlead get services -A         what runs in it",
            "  fairlead COMMAND --help          everything about one command"
        })
public final class Main implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "How to reach the API server. Default: $$KUBECONFIG, then DIR/kubeconfig.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Where Fairlead keeps its state. Default: /var/lib/fairlead, or ~/.fairlead without root.")
    private Path dir = Cluster.standardDir();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("proxy")) { // a node's connections wait for it
            new TaskGroup("start").run("client", ApiClient::prepare); // while the flags are read
        }
        System.exit(commandLine(args).execute(args));
    }

    /// The command line that understands `args`.
    static CommandLine commandLine(String... args) {
        var main = new Main();
        CommandLine line = new CommandLine(main);
        Commands.namedIn(args).forEach(command -> line.addSubcommand(command.name(), command.create(main)));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((fault, _) -> Failures.usage(fault))
                .setExecutionExceptionHandler((fault, at, _) -> Failures.execution(fault, at));
    }

    /// Without a command there is nothing to run.
    @Override
    public void run() {
        CommandLine line = spec == null ? new CommandLine(this) : spec.commandLine();
        throw new ParameterException(line, "a command is missing; there are " + String.join(", ", Commands.names()));
    }

    /// The cluster that the options name.
    Cluster cluster() {
        return new Cluster(dir, kubeconfig == null ? List.of() : List.of(kubeconfig), System.getenv());
    }
}
