package io.fairlead.kubectl;

import io.fairlead.api.Kind;
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
import tools.jackson.databind.node.ObjectNode;

/// `fairlead create`: creates the objects of files, or an object of a kind that it knows how to write.
@Command(
        name = "create",
        description = "Create the objects of files, or one object from what is typed.",
        subcommands = CreateServiceCommand.class,
        footer = {
            "",
            "Examples:",
            "  fairlead create -f hello.yaml",
            "  fairlead create deployment hello --image=fairlead/echo --replicas=3",
            "  fairlead create service clusterip hello --tcp=80:8080",
            "  fairlead create configmap motd --from-literal=text=hello",
            "  fairlead create namespace web"
        })
public final class CreateCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A file or folder of YAML or JSON, or - for the standard input; may be repeated.")
    private List<String> files = List.of();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public CreateCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    /// What is said of an object, in the namespace that was typed.
    CreateOptions.Words words(String failure) {
        return new CreateOptions.Words(namespace, Console.of(spec), "created", failure);
    }

    Supplier<Cluster> cluster() {
        return cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (files.isEmpty()) {
            throw new CommandException("error: must specify -f FILE, or what to create: see fairlead create --help");
        }
        List<String> failed = ManifestSet.read(files, namespace)
                .each(cluster.get(), "creating", CreateCommand::send, Console.of(spec));
        return failed.isEmpty() ? 0 : Refusals.FAILED;
    }

    private static String send(ApiClient client, Manifest manifest) throws InterruptedException {
        client.create(manifest.kind(), manifest.object());
        return "created";
    }

    @Command(
            name = "deployment",
            aliases = {"deploy"},
            description = "Create a Deployment.")
    int deployment(
            @Parameters(index = "0", paramLabel = "NAME") String name,
            @Option(names = "--image", required = true, paramLabel = "IMAGE", split = ",") List<String> images,
            @Option(
                            names = {"-r", "--replicas"},
                            defaultValue = "1",
                            paramLabel = "N")
                    int replicas,
            @Option(names = "--port", defaultValue = "", paramLabel = "PORT") String port,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "COMMAND") List<String> command,
            @Mixin CreateOptions options)
            throws InterruptedException {
        ObjectNode deployment = Blueprints.deployment(name, images, replicas);
        ObjectNode container = deployment.at("/spec/template/spec/containers/0").asObject();
        if (!port.isEmpty()) {
            container.putArray("ports").addObject().put("containerPort", TypedPort.number("--port", port));
        }
        if (command != null && !command.isEmpty()) {
            if (images.size() > 1) {
                throw new CommandException("error: cannot specify multiple --image options and command");
            }
            command.forEach(container.putArray("command")::add);
        }
        return options.create(cluster, deployment, words("failed to create deployment"));
    }

    @Command(
            name = "namespace",
            aliases = {"ns"},
            description = "Create a Namespace.")
    int namespace(@Parameters(paramLabel = "NAME") String name, @Mixin CreateOptions options)
            throws InterruptedException {
        return options.create(cluster, Blueprints.of(Kind.NAMESPACE, name), words(""));
    }

    @Command(
            name = "serviceaccount",
            aliases = {"sa"},
            description = "Create a ServiceAccount.")
    int serviceAccount(@Parameters(paramLabel = "NAME") String name, @Mixin CreateOptions options)
            throws InterruptedException {
        ObjectNode account = Blueprints.of(Kind.SERVICE_ACCOUNT, name);
        return options.create(cluster, account, words("failed to create serviceaccount"));
    }

    @Command(
            name = "configmap",
            aliases = {"cm"},
            description = "Create a ConfigMap of texts and files.")
    int configMap(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--from-literal", paramLabel = "KEY=VALUE") List<String> literals,
            @Option(names = "--from-file", paramLabel = "[KEY=]FILE") List<String> files,
            @Mixin CreateOptions options)
            throws InterruptedException {
        Map<String, String> data =
                ConfigEntries.read(literals == null ? List.of() : literals, files == null ? List.of() : files);
        ObjectNode map = Blueprints.data(Kind.CONFIG_MAP, name, data);
        return options.create(cluster, map, words("failed to create configmap"));
    }
}
