package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `fairlead exec`: runs a command in a container.
@Command(
        name = "exec",
        description = "Run a command in a container of a pod.",
        footer = {"", "Examples:", "  fairlead exec hello-1 -- hostname", "  fairlead exec -it deployment/hello -- sh"})
public final class ExecCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "POD", description = "A pod's name or KIND/NAME.")
    private String pod = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "COMMAND", description = "What to run, behind --.")
    private List<String> command = List.of();

    @Option(
            names = {"-c", "--container"},
            paramLabel = "NAME",
            description = "Which container. Default: the first.")
    private String container = "";

    @Option(
            names = {"-i", "--stdin"},
            description = "Let it read what is typed here.")
    private boolean input;

    @Option(
            names = {"-t", "--tty"},
            description = "Give it a terminal.")
    private boolean tty;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print nothing but what it prints.")
    private boolean quiet;

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public ExecCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (command.isEmpty()) {
            throw new CommandException("error: you must specify at least one command for the container");
        }
        Console console = Console.of(spec);
        try (ApiClient client = cluster.get().connect()) {
            JsonNode found = new PodChoice(client, namespace, console).find(pod, "a pod of");
            String phase = Json.text(found, "status", "phase");
            if (phase.equals("Succeeded") || phase.equals("Failed")) {
                throw new CommandException(
                        "error: cannot exec into a container in a completed pod; current phase is " + phase);
            }
            String named = container.isEmpty() ? container(found, console) : container;
            List<Map.Entry<String, String>> options = new ArrayList<>();
            options.add(Map.entry("container", named));
            command.forEach(word -> options.add(Map.entry("command", word)));
            NamespacedName key = new NamespacedName(namespace.name(), Json.text(found, "metadata", "name"));
            return PodTerminal.exit(new PodTerminal(input, tty).join(client, key, "exec", options), console);
        }
    }

    private String container(JsonNode found, Console console) {
        Console told = quiet ? new Console(console.out(), new PrintWriter(Writer.nullWriter())) : console;
        return PodChoice.container(found, told);
    }
}
