package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.client.Watch;
import io.fairlead.client.WatchEvent;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead delete`: deletes objects, and waits until they are gone.
@Command(
        name = "delete",
        description = "Delete objects by their names, by labels, or all that the files name; wait until they are gone.",
        footer = {
            "",
            "Examples:",
            "  fairlead delete pod hello-1",
            "  fairlead delete svc/hello deployment/hello",
            "  fairlead delete pods -l app=hello --wait=false",
            "  fairlead delete -f hello.yaml"
        })
public final class DeleteCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KIND", arity = "0..*", description = "KIND NAME... or KIND/NAME...")
    private List<String> words = List.of();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "A file or folder of YAML or JSON, or - for the standard input; may be repeated.")
    private List<String> files = List.of();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "All objects of KIND with these labels.")
    private String selector = "";

    @Option(names = "--all", description = "All objects of KIND in the namespace.")
    private boolean all;

    @Option(
            names = "--grace-period",
            paramLabel = "SECONDS",
            description = "How long a pod may take to stop; by default what the pod itself says.")
    private int gracePeriodSeconds = -1;

    @Option(names = "--ignore-not-found", description = "An object that is not there is no error.")
    private boolean ignoreNotFound;

    @Option(
            names = "--wait",
            arity = "0..1",
            paramLabel = "true|false",
            fallbackValue = "true",
            description = "Wait until the objects are gone. Default: true.")
    private boolean wait = true;

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public DeleteCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    private record Doomed(Kind kind, NamespacedName key) {}

    @Override
    public Integer call() throws InterruptedException {
        check();
        Console console = Console.of(spec);
        int failures = 0;
        try (ApiClient client = cluster.get().connect()) {
            List<Doomed> doomed = doomed(client);
            if (doomed.isEmpty()) {
                console.println("No resources found");
            }
            for (Doomed one : doomed) {
                failures += delete(client, one, console) ? 0 : 1;
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }

    private void check() {
        if (words.isEmpty() == files.isEmpty()) {
            throw new CommandException("error: say what to delete: either KIND NAME... or -f FILE");
        }
    }

    private List<Doomed> doomed(ApiClient client) throws InterruptedException {
        if (!files.isEmpty()) {
            return ManifestFiles.read(files, namespace, System.in).stream()
                    .map(manifest -> new Doomed(manifest.kind(), manifest.key()))
                    .toList();
        }
        List<Doomed> doomed = new ArrayList<>();
        for (Wanted one : ResourceArguments.parse(words)) {
            for (String name : one.names().isEmpty() ? labelled(client, one.kind()) : one.names()) {
                doomed.add(new Doomed(one.kind(), namespace.key(one.kind(), name)));
            }
        }
        return doomed;
    }

    // Without a name it must be said that many are meant.
    private List<String> labelled(ApiClient client, Kind kind) throws InterruptedException {
        if (!all && selector.isEmpty()) {
            throw new CommandException(
                    "error: which of the %s? Give names, -l SELECTOR or --all".formatted(kind.plural()));
        }
        String place = kind.namespaced() ? namespace.name() : "";
        JsonNode list = client.list(Interest.labelled(kind, selector), place);
        return list.path("items")
                .valueStream()
                .map(item -> ObjectMeta.of(item).key().name())
                .toList();
    }

    private boolean delete(ApiClient client, Doomed one, Console console) throws InterruptedException {
        try {
            String uid = client.find(one.kind, one.key)
                    .map(live -> ObjectMeta.of(live).uid())
                    .orElse("");
            client.delete(one.kind, one.key, Deletion.graceOf(gracePeriodSeconds));
            if (wait) {
                awaitGone(client, one, uid);
            }
            console.println("%s \"%s\" deleted".formatted(label(one.kind), one.key.name()));
            return true;
        } catch (ApiException e) {
            if (e.isNotFound() && ignoreNotFound) {
                return true;
            }
            console.complain(Refusals.sentence(e));
            return false;
        }
    }

    private static void awaitGone(ApiClient client, Doomed one, String uid) throws InterruptedException {
        Optional<ObjectNode> live = client.find(one.kind, one.key);
        while (live.filter(object -> ObjectMeta.of(object).uid().equals(uid)).isPresent()) {
            Interest interest = Interest.named(one.kind, one.key.name());
            try (Watch watch = client.watch(
                    interest, one.key.namespace(), ObjectMeta.of(live.get()).revision())) {
                awaitDeletion(watch);
            }
            live = client.find(one.kind, one.key);
        }
    }

    private static void awaitDeletion(Watch watch) throws InterruptedException {
        Optional<WatchEvent<ObjectNode>> event = watch.next();
        while (event.isPresent() && !(event.get() instanceof WatchEvent.Deleted)) {
            event = watch.next();
        }
    }

    private static String label(Kind kind) {
        return kind.group().isEmpty() ? kind.singular() : kind.singular() + "." + kind.group();
    }
}
