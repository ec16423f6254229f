package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `fairlead logs`: what a container printed.
@Command(
        name = "logs",
        description = "Show what a container of a pod printed.",
        footer = {
            "",
            "Examples:",
            "  fairlead logs hello-1",
            "  fairlead logs -f --tail=20 deployment/hello",
            "  fairlead logs hello-1 -c web --previous"
        })
public final class LogsCommand implements Callable<Integer> {
    private static final int PIECE = 8192;

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "POD", arity = "1..2", description = "A pod's name or KIND/NAME; then the container.")
    private List<String> words = List.of();

    @Option(
            names = {"-c", "--container"},
            paramLabel = "NAME",
            description = "Which container. Default: the first.")
    private String container = "";

    @Option(names = "--all-containers", description = "All containers, one after another.")
    private boolean allContainers;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on showing what is printed.")
    private boolean follow;

    @Option(
            names = {"-p", "--previous"},
            description = "Of the container before its last restart.")
    private boolean previous;

    @Option(names = "--timestamps", description = "Begin each line with its time.")
    private boolean timestamps;

    @Option(names = "--tail", paramLabel = "LINES", description = "Only the last lines. Default: all.")
    private int tail = -1;

    @Option(names = "--limit-bytes", paramLabel = "BYTES", description = "At most so many bytes.")
    private int limitBytes;

    @Option(names = "--since-time", paramLabel = "TIME", description = "Only what is newer, as 2026-01-02T15:04:05Z.")
    private String sinceTime = "";

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public LogsCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        try (ApiClient client = cluster.get().connect()) {
            JsonNode pod = new PodChoice(client, namespace, console).find(words.getFirst(), "the logs from");
            for (String name : containers(pod, console)) {
                print(client, new NamespacedName(namespace.name(), Json.text(pod, "metadata", "name")), name, console);
            }
        }
        return 0;
    }

    private List<String> containers(JsonNode pod, Console console) {
        String named = container.isEmpty() && words.size() > 1 ? words.get(1) : container;
        if (!named.isEmpty()) {
            return List.of(named);
        }
        List<String> main = Json.list(pod, one -> Json.text(one, "name"), "spec", "containers");
        List<String> first = Json.list(pod, one -> Json.text(one, "name"), "spec", "initContainers");
        if (allContainers) {
            return Stream.concat(first.stream(), main.stream()).toList();
        }
        return List.of(PodChoice.container(pod, console));
    }

    private void print(ApiClient client, NamespacedName pod, String name, Console console) throws InterruptedException {
        try (InputStream log = client.log(pod, options(name));
                InputStreamReader text = new InputStreamReader(log, StandardCharsets.UTF_8)) {
            char[] piece = new char[PIECE];
            int length = text.read(piece);
            while (length >= 0) {
                console.print(new String(piece, 0, length));
                length = text.read(piece);
            }
        } catch (IOException e) {
            throw new CommandException("error: the log of %s broke off: %s".formatted(pod.name(), e.getMessage()), e);
        }
    }

    private Map<String, String> options(String name) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("container", name);
        Stream.of(Map.entry("follow", follow), Map.entry("previous", previous), Map.entry("timestamps", timestamps))
                .filter(Map.Entry::getValue)
                .forEach(option -> options.put(option.getKey(), "true"));
        if (tail >= 0) {
            options.put("tailLines", Integer.toString(tail));
        }
        if (limitBytes > 0) {
            options.put("limitBytes", Integer.toString(limitBytes));
        }
        if (!sinceTime.isEmpty()) {
            options.put("sinceTime", sinceTime);
        }
        return options;
    }
}
