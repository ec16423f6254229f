package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Watch;
import io.fairlead.client.WatchEvent;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/// `fairlead rollout`: waits until a change of a Deployment or of its like has reached all pods, or makes one.
@Command(
        name = "rollout",
        description = "Wait for the rollout of a Deployment, DaemonSet or StatefulSet, or restart its pods.",
        footer = {
            "",
            "Examples:",
            "  fairlead rollout status deployment/hello",
            "  fairlead rollout status deployment hello --watch=false",
            "  fairlead rollout restart deployment hello"
        })
public final class RolloutCommand implements Callable<Integer> {
    private static final Set<Kind> ROLLED = Set.of(Kind.DEPLOYMENT, Kind.DAEMON_SET, Kind.STATEFUL_SET);

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public RolloutCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() {
        throw new CommandException("error: what of the rollout? status or restart: see fairlead rollout --help");
    }

    @Command(name = "status", description = "Show how far the rollout is, until it is done.")
    int status(
            @Parameters(paramLabel = "KIND", arity = "1..*") List<String> words,
            @Option(
                            names = {"-w", "--watch"},
                            arity = "0..1",
                            defaultValue = "true",
                            fallbackValue = "true",
                            paramLabel = "true|false")
                    boolean watch)
            throws InterruptedException {
        Console console = Console.of(spec);
        int failures = 0;
        try (ApiClient client = cluster.get().connect()) {
            for (ObjectTarget target : targets(words)) {
                failures += follow(client, target, watch, console) ? 0 : 1;
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }

    @Command(name = "restart", description = "Replace all pods, one after another.")
    int restart(@Parameters(paramLabel = "KIND", arity = "1..*") List<String> words) throws InterruptedException {
        String now = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).atZone(ZoneId.systemDefault()));
        ObjectNode patch = Json.object();
        patch.putObject("spec")
                .putObject("template")
                .putObject("metadata")
                .putObject("annotations")
                .put("kubectl.kubernetes.io/restartedAt", now);
        try (ApiClient client = cluster.get().connect()) {
            for (ObjectTarget target : targets(words)) {
                client.mergePatch(target.kind(), target.key(), patch);
                Console.of(spec).println(target.reference() + " restarted");
            }
        }
        return 0;
    }

    private List<ObjectTarget> targets(List<String> words) {
        List<ObjectTarget> targets = new ArrayList<>();
        for (Wanted one : ResourceArguments.parse(words)) {
            if (!ROLLED.contains(one.kind())) {
                throw new CommandException("error: %s have no rollout; deployments, daemonsets and statefulsets have"
                        .formatted(one.kind().plural()));
            }
            if (one.names().isEmpty()) {
                throw new CommandException(
                        "error: which of the %s?".formatted(one.kind().plural()));
            }
            one.names().forEach(name -> targets.add(new ObjectTarget(one.kind(), namespace.key(one.kind(), name))));
        }
        return targets;
    }

    /// Prints each state until the last; true if that is the wanted one.
    private static boolean follow(ApiClient client, ObjectTarget target, boolean watch, Console console)
            throws InterruptedException {
        while (true) {
            ObjectNode now = client.get(target.kind(), target.key());
            RolloutState state = print(target, now, console);
            if (state.done() || !watch) {
                return !state.failed();
            }
            Interest interest = Interest.named(target.kind(), target.key().name());
            try (Watch changes = client.watch(
                    interest, target.key().namespace(), ObjectMeta.of(now).revision())) {
                Optional<RolloutState> last = follow(changes, target, console);
                if (last.isPresent()) {
                    return !last.get().failed();
                }
            }
        }
    }

    /// The last state; nothing where the watch came to its end before.
    private static Optional<RolloutState> follow(Watch changes, ObjectTarget target, Console console)
            throws InterruptedException {
        Optional<WatchEvent<ObjectNode>> next = changes.next();
        while (next.isPresent()) {
            if (next.get() instanceof WatchEvent.Deleted) {
                throw new CommandException("error: object has been deleted");
            }
            if (next.get() instanceof WatchEvent.Modified<ObjectNode>(var object)) {
                RolloutState state = print(target, object, console);
                if (state.done()) {
                    return Optional.of(state);
                }
            }
            next = changes.next();
        }
        return Optional.empty();
    }

    private static RolloutState print(ObjectTarget target, ObjectNode object, Console console) {
        RolloutState state = RolloutState.of(target.kind(), object);
        if (state.failed()) {
            console.complain(state.line());
        } else {
            console.println(state.line());
        }
        return state;
    }
}
