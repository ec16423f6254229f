package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
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

/// `fairlead attach`: joins the program of a container that runs.
@Command(
        name = "attach",
        description = "See what the program of a container prints, and type into it.",
        footer = {"", "Examples:", "  fairlead attach shell -i -t"})
public final class AttachCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "POD", description = "A pod's name or KIND/NAME.")
    private String pod = "";

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
            description = "It has a terminal.")
    private boolean tty;

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public AttachCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        try (ApiClient client = cluster.get().connect()) {
            JsonNode found = new PodChoice(client, namespace, console).find(pod, "a pod of");
            String named = container.isEmpty() ? PodChoice.container(found, console) : container;
            NamespacedName key = new NamespacedName(namespace.name(), Json.text(found, "metadata", "name"));
            return PodTerminal.exit(
                    new PodTerminal(input, tty).join(client, key, "attach", List.of(Map.entry("container", named))),
                    console);
        }
    }
}
