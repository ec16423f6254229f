package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
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

/// `fairlead label`: sets and removes labels.
@Command(
        name = "label",
        description = "Set labels of objects (KEY=VALUE), remove them (KEY-), or list them.",
        footer = {
            "",
            "Examples:",
            "  fairlead label pods hello-1 tier=web",
            "  fairlead label --overwrite svc/hello tier=db",
            "  fairlead label pods --all tier-",
            "  fairlead label node node-1 --list"
        })
public final class LabelCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "WORD",
            arity = "1..*",
            description = "KIND NAME... or KIND/NAME..., then KEY=VALUE to set and KEY- to remove.")
    private List<String> words = List.of();

    @Option(names = "--overwrite", arity = "0..1", fallbackValue = "true", description = "Change labels that are set.")
    private boolean overwrite;

    @Option(names = "--list", description = "Show the labels.")
    private boolean list;

    @Mixin
    private TargetOptions targets = new TargetOptions();

    public LabelCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> names =
                words.stream().takeWhile(word -> !MapEdit.isEdit(word)).toList();
        MapEdit edit = MapEdit.parse("label", words.subList(names.size(), words.size()));
        if (edit.isEmpty() && !list) {
            throw new CommandException("error: at least one label update is required");
        }
        Console console = Console.of(spec);
        int failures = 0;
        try (ApiClient client = cluster.get().connect()) {
            List<Target> found = targets.find(client, names);
            for (Target target : found) {
                failures += label(client, target, edit, console) ? 0 : 1;
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }

    private boolean label(ApiClient client, Target target, MapEdit edit, Console console) throws InterruptedException {
        try {
            Map<String, String> now = Json.map(client.get(target.kind(), target.key()), "metadata", "labels");
            List<String> clashes = overwrite ? List.of() : edit.clashes(now);
            if (!clashes.isEmpty()) {
                clashes.forEach(clash -> console.complain("error: " + clash + ", and --overwrite is false"));
                return false;
            }
            if (!edit.isEmpty()) {
                change(client, target, edit, now, console);
            }
            if (list) {
                edit.applied(now).forEach((key, value) -> console.println(key + "=" + value));
            }
            return true;
        } catch (ApiException e) {
            console.complain(Refusals.sentence(e));
            return false;
        }
    }

    private void change(ApiClient client, Target target, MapEdit edit, Map<String, String> now, Console console)
            throws InterruptedException {
        edit.remove().stream()
                .filter(key -> !now.containsKey(key))
                .forEach(key -> console.println("label \"%s\" not found.".formatted(key)));
        Map<String, String> then = edit.applied(now);
        if (!then.equals(now)) {
            client.mergePatch(target.kind(), target.key(), edit.patch("labels"));
        }
        console.println(target.reference() + " " + outcome(now, then));
    }

    /// As kubectl calls it: what became shorter was unlabeled.
    private String outcome(Map<String, String> now, Map<String, String> then) {
        if (then.equals(now)) {
            return "not labeled";
        }
        return !overwrite && length(then) < length(now) ? "unlabeled" : "labeled";
    }

    private static int length(Map<String, String> labels) {
        return labels.toString().length();
    }
}
