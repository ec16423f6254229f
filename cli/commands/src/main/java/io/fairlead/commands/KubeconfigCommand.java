package io.fairlead.commands;

import io.fairlead.access.Subject;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead kubeconfig`: gives a user access.
@Command(
        name = "kubeconfig",
        description = {
            "Write a kubeconfig with a new client certificate for a user or a node.",
            "It signs with the keys in DIR/pki, so it runs where the control plane does."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead kubeconfig --user ann --group ops --output ann.kubeconfig",
            "  fairlead kubeconfig --node node-1 --server https://192.168.1.10:6443 --output node-1.kubeconfig"
        })
final class KubeconfigCommand implements Runnable {
    private final Main main;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--user", paramLabel = "NAME", description = "Who it is for.")
    private String user = "";

    @Option(names = "--group", paramLabel = "GROUP", description = "A group the user is in; may be given again.")
    private List<String> groups = List.of();

    @Option(names = "--node", paramLabel = "NAME", description = "The node it is for, instead of a user.")
    private String node = "";

    @Option(names = "--server", paramLabel = "URL", description = "Default: what DIR/kubeconfig says.")
    private @Nullable URI server;

    @Option(names = "--days", paramLabel = "N", description = "How long it is good. Default: 365.")
    private int days = 365;

    @Option(names = "--output", required = true, paramLabel = "FILE", description = "Where to write it.")
    private Path output = Path.of("");

    KubeconfigCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        Path dir = main.cluster().dir();
        if (!Files.exists(dir.resolve("pki").resolve("ca.key"))) {
            throw new CommandException("error: there is no %s; run this where the control plane runs, with its --dir"
                    .formatted(dir.resolve("pki").resolve("ca.key")));
        }
        ClusterKeys keys = ClusterKeys.in(dir);
        ClusterAccess access = keys.access(url(), keys.pki().issueClient(subject(), Duration.ofDays(days)));
        Kubeconfig.write(output, access);
        Console.of(spec)
                .print("%s lets %s in for %d days\n".formatted(output, subject().name(), days));
    }

    private Subject subject() {
        if (user.isEmpty() == node.isEmpty()) {
            throw new CommandException("error: name either --user or --node");
        }
        return node.isEmpty() ? new Subject(user, Set.copyOf(groups)) : Subject.node(node);
    }

    private URI url() {
        return server == null ? Kubeconfig.read(main.cluster().ownKubeconfig()).server() : server;
    }
}
