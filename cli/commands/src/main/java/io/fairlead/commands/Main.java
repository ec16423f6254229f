package io.fairlead.commands;

import io.fairlead.client.ApiClient;
import io.fairlead.kubectl.Cluster;
import io.fairlead.runtime.TaskGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/// The program `fairlead`: finds the command that was typed, runs it, and turns what went wrong into a sentence and
/// an exit code.
///
/// This and the proxy's command say in code what they take, not in annotations, as the others do: the JVM writes a
/// class for each kind of annotation that is read, and that would be a tenth of a proxy's start.
public final class Main implements Runnable {
    private static final Set<String> PROXIES = Set.of("proxy", "rehearse-proxy");

    private final OptionSpec kubeconfig = OptionSpec.builder("--kubeconfig")
            .type(Path.class)
            .paramLabel("FILE")
            .scopeType(ScopeType.INHERIT)
            .description("How to reach the API server. Default: $$KUBECONFIG, then DIR/kubeconfig.")
            .build();
    private final OptionSpec context = OptionSpec.builder("--context")
            .type(String.class)
            .paramLabel("NAME")
            .scopeType(ScopeType.INHERIT)
            .initialValue("")
            .description("Which context of that file. Default: its current-context.")
            .build();
    private final OptionSpec dir = OptionSpec.builder("--dir")
            .type(Path.class)
            .paramLabel("DIR")
            .scopeType(ScopeType.INHERIT)
            .initialValue(Cluster.standardDir())
            .description("Where Fairlead keeps its state. Default: /var/lib/fairlead, or ~/.fairlead without root.")
            .build();
    private final OptionSpec help = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .scopeType(ScopeType.INHERIT)
            .description("Show this help and exit.")
            .build();
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this)
            .name("fairlead")
            .addOption(kubeconfig)
            .addOption(context)
            .addOption(dir)
            .addOption(help);

    Main() {
        spec.usageMessage()
                .synopsisSubcommandLabel("COMMAND")
                .description("The Service system of Kubernetes: one address for many pods, and a way to each of them.")
                .footer(
                        "",
                        "Start here:",
                        "  fairlead up                      a whole cluster on this machine",
                        "  fairlead get services -A         what runs in it",
                        "  fairlead COMMAND --help          everything about one command");
    }

    public static void main(String[] args) {
        LogSetup.choose();
        if (PROXIES.contains(Commands.typed(args).orElse(""))) { // a node's connections wait for it
            new TaskGroup("start").runOnPlatformThread("prepare", ApiClient::prepare); // while the flags are read
        }
        System.exit(commandLine(args).execute(args));
    }

    /// The command line that understands `args`.
    static CommandLine commandLine(String... args) {
        var main = new Main();
        CommandLine line = new CommandLine(main.spec, new Converters());
        Commands.named(Commands.typed(args))
                .forEach(command -> line.addSubcommand(command.name(), command.create(main)));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((fault, _) -> Failures.usage(fault))
                .setExecutionExceptionHandler((fault, at, _) -> Failures.execution(fault, at));
    }

    /// Without a command there is nothing to run.
    @Override
    public void run() {
        String names = String.join(", ", Commands.names());
        throw new ParameterException(spec.commandLine(), "a command is missing; there are " + names);
    }

    /// The cluster that the options name.
    Cluster cluster() {
        @Nullable Path named = kubeconfig.getValue();
        List<Path> files = named == null ? List.of() : List.of(named);
        return new Cluster(dir.getValue(), files, System.getenv(), context.getValue());
    }
}
