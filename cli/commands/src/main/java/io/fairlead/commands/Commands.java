package io.fairlead.commands;

import io.fairlead.kubectl.AnnotateCommand;
import io.fairlead.kubectl.ApplyCommand;
import io.fairlead.kubectl.AttachCommand;
import io.fairlead.kubectl.CreateCommand;
import io.fairlead.kubectl.DeleteCommand;
import io.fairlead.kubectl.DescribeCommand;
import io.fairlead.kubectl.ExecCommand;
import io.fairlead.kubectl.ExposeCommand;
import io.fairlead.kubectl.GetCommand;
import io.fairlead.kubectl.LabelCommand;
import io.fairlead.kubectl.LogsCommand;
import io.fairlead.kubectl.PortForwardCommand;
import io.fairlead.kubectl.ReplaceCommand;
import io.fairlead.kubectl.RolloutCommand;
import io.fairlead.kubectl.RunCommand;
import io.fairlead.kubectl.ScaleCommand;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Every command there is, in the order of the help.
///
/// To start quickly, only the command that was typed is made: a client command then never loads a server's
/// classes.
record Commands(String name, Function<Main, Object> maker) {
    private static final List<Commands> ALL = List.of(
            new Commands("up", UpCommand::new),
            new Commands("server", ServerCommand::new),
            new Commands("node", NodeCommand::of),
            new Commands("proxy", ProxyCommand::of),
            new Commands("dns", DnsCommand::new),
            new Commands("load-balancer", LoadBalancerCommand::new),
            new Commands("ingress", IngressCommand::new),
            new Commands("get", main -> new GetCommand(main::cluster)),
            new Commands("apply", main -> new ApplyCommand(main::cluster)),
            new Commands("delete", main -> new DeleteCommand(main::cluster)),
            new Commands("scale", main -> new ScaleCommand(main::cluster)),
            new Commands("describe", main -> new DescribeCommand(main::cluster)),
            new Commands("logs", main -> new LogsCommand(main::cluster)),
            new Commands("exec", main -> new ExecCommand(main::cluster)),
            new Commands("attach", main -> new AttachCommand(main::cluster)),
            new Commands("port-forward", main -> new PortForwardCommand(main::cluster)),
            new Commands("create", main -> new CreateCommand(main::cluster)),
            new Commands("run", main -> new RunCommand(main::cluster)),
            new Commands("replace", main -> new ReplaceCommand(main::cluster)),
            new Commands("label", main -> new LabelCommand(main::cluster)),
            new Commands("annotate", main -> new AnnotateCommand(main::cluster)),
            new Commands("expose", main -> new ExposeCommand(main::cluster)),
            new Commands("rollout", main -> new RolloutCommand(main::cluster)),
            new Commands("kubeconfig", KubeconfigCommand::new),
            new Commands("images", ImagesCommand::new),
            new Commands("modes", ModesCommand::new),
            new Commands("dump", DumpCommand::new),
            new Commands("cleanup", CleanupCommand::new),
            new Commands("completion", _ -> new CompletionCommand()),
            new Commands("version", VersionCommand::new));
    private static final Set<String> VALUED = Set.of("--dir", "--kubeconfig", "--context");
    // For the launcher, not for people.
    private static final List<Commands> HIDDEN = List.of(
            new Commands("rehearse", RehearseCommand::new), new Commands("rehearse-proxy", RehearseProxyCommand::new));

    static List<String> names() {
        return ALL.stream().map(Commands::name).toList();
    }

    /// The command that was typed: the first word that is neither an option nor the value of one of the options that
    /// may stand before it. The launcher finds it in the same way.
    static Optional<String> typed(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (VALUED.contains(args[i])) {
                i++;
            } else if (!args[i].startsWith("-")) {
                return Optional.of(args[i]);
            }
        }
        return Optional.empty();
    }

    /// The command of that name; all of them where there is none, for the help.
    static List<Commands> named(Optional<String> typed) {
        List<Commands> named = Stream.concat(ALL.stream(), HIDDEN.stream())
                .filter(command -> typed.equals(Optional.of(command.name)))
                .toList();
        return named.isEmpty() ? ALL : named;
    }

    Object create(Main main) {
        return maker.apply(main);
    }
}
