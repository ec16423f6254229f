package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead scale`: says how many pods a Deployment shall have.
@Command(
        name = "scale",
        description = "Set the number of pods of a Deployment or a ReplicaSet.",
        footer = {"", "Example:", "  fairlead scale deployment hello --replicas 5"})
public final class ScaleCommand implements Callable<Integer> {
    private static final Set<Kind> SCALABLE = Set.of(Kind.DEPLOYMENT, Kind.REPLICA_SET);

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KIND", arity = "1..*", description = "KIND NAME... or KIND/NAME...")
    private List<String> words = List.of();

    @Option(names = "--replicas", required = true, paramLabel = "N", description = "How many pods, 0 or more.")
    private int replicas;

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public ScaleCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<Wanted> wanted = ResourceArguments.parse(words);
        wanted.forEach(this::check);
        ObjectNode patch = Json.object();
        patch.putObject("spec").put("replicas", replicas);
        try (ApiClient client = cluster.get().connect()) {
            for (Wanted one : wanted) {
                for (String name : one.names()) {
                    client.mergePatch(one.kind(), namespace.key(one.kind(), name), patch);
                    Console.of(spec).println(ResourceArguments.reference(one.kind(), name) + " scaled");
                }
            }
        }
        return 0;
    }

    private void check(Wanted one) {
        if (replicas < 0) {
            throw new CommandException("error: --replicas: %d is less than 0".formatted(replicas));
        }
        if (!SCALABLE.contains(one.kind())) {
            throw new CommandException("error: %s have no number of pods to set"
                    .formatted(one.kind().plural()));
        }
        if (one.names().isEmpty()) {
            throw new CommandException(
                    "error: which of the %s?".formatted(one.kind().plural()));
        }
    }
}
