package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import java.util.LinkedHashMap;
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
import tools.jackson.databind.node.ObjectNode;

/// `fairlead run`: makes a pod of an image.
@Command(
        name = "run",
        description = "Create a pod that runs one image.",
        footer = {
            "",
            "Examples:",
            "  fairlead run hello --image=fairlead/echo --port=8080",
            "  fairlead run once --image=busybox --restart=Never -- sleep 5",
            "  fairlead run -i --tty shell --image=busybox --rm -- sh"
        })
public final class RunCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAME", description = "The pod's name.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "ARGUMENT",
            description = "What the image is started with.")
    private List<String> arguments = List.of();

    @Option(names = "--image", required = true, paramLabel = "IMAGE", description = "The image of its container.")
    private String image = "";

    @Option(names = "--command", description = "The arguments are the command, and not what its entry point gets.")
    private boolean command;

    @Option(names = "--port", paramLabel = "PORT", description = "The port it listens on.")
    private String port = "";

    @Option(names = "--env", paramLabel = "KEY=VALUE", description = "A variable; may be repeated.")
    private List<String> variables = List.of();

    @Option(
            names = {"-l", "--labels"},
            split = ",",
            paramLabel = "KEY=VALUE",
            description = "The pod's labels. Default: run=NAME.")
    private List<String> labels = List.of();

    @Option(names = "--restart", paramLabel = "POLICY", description = "Always, OnFailure or Never. Default: Always.")
    private String restart = "Always";

    @Option(
            names = {"-i", "--stdin"},
            description = "Let the program read what is typed here, and show what it prints.")
    private boolean input;

    @Option(
            names = {"-t", "--tty"},
            description = "Give it a terminal.")
    private boolean tty;

    @Option(names = "--attach", description = "Show what it prints, and wait for its end.")
    private boolean attach;

    @Option(names = "--rm", description = "Delete the pod when its program ended.")
    private boolean remove;

    @Mixin
    private CreateOptions options = new CreateOptions();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public RunCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        var told = new CreateOptions.Words(namespace, console, "created", "");
        boolean joined = attach || input;
        if (tty && !input) {
            throw new CommandException("error: -i/--stdin is required for containers with -t/--tty=true");
        }
        if (remove && !joined) {
            throw new CommandException("error: --rm should only be used for attached containers");
        }
        if (!joined) {
            return options.create(cluster, pod(), told);
        }
        AttachedRun run = new AttachedRun(namespace.key(Kind.POD, name), new PodTerminal(input, tty), remove);
        return run.run(cluster.get(), pod(), console);
    }

    private ObjectNode pod() {
        ObjectNode pod = Blueprints.of(Kind.POD, name);
        Map<String, String> worn = labels.isEmpty() ? Map.of("run", name) : pairs("--labels", labels);
        worn.forEach(pod.withObject("metadata").putObject("labels")::put);
        ObjectNode to = pod.putObject("spec");
        ObjectNode container =
                to.putArray("containers").addObject().put("image", image).put("name", name);
        if (!arguments.isEmpty()) {
            arguments.forEach(container.putArray(command ? "command" : "args")::add);
        }
        if (!variables.isEmpty()) {
            var env = container.putArray("env");
            pairs("--env", variables)
                    .forEach((key, value) -> env.addObject().put("name", key).put("value", value));
        }
        if (!port.isEmpty()) {
            container.putArray("ports").addObject().put("containerPort", TypedPort.number("--port", port));
        }
        if (input) {
            container.put("stdin", true).put("stdinOnce", true);
        }
        if (tty) {
            container.put("tty", true);
        }
        container.putObject("resources");
        to.put("dnsPolicy", "ClusterFirst").put("restartPolicy", restart);
        return pod;
    }

    private static Map<String, String> pairs(String option, List<String> typed) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String one : typed) {
            int equals = one.indexOf('=');
            if (equals < 1) {
                throw new CommandException("error: %s: \"%s\" is not KEY=VALUE".formatted(option, one));
            }
            pairs.put(one.substring(0, equals), one.substring(equals + 1));
        }
        return pairs;
    }
}
