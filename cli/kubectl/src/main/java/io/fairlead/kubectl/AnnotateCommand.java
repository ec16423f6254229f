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

/// `fairlead annotate`: sets and removes annotations.
@Command(
        name = "annotate",
        description = "Set annotations of objects (KEY=VALUE), remove them (KEY-), or list them.",
        footer = {
            "",
            "Examples:",
            "  fairlead annotate svc hello owner='the web team'",
            "  fairlead annotate --overwrite svc/hello owner=ada",
            "  fairlead annotate svc --all owner-"
        })
public final class AnnotateCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "WORD",
            arity = "1..*",
            description = "KIND NAME... or KIND/NAME..., then KEY=VALUE to set and KEY- to remove.")
    private List<String> words = List.of();

    @Option(
            names = "--overwrite",
            arity = "0..1",
            fallbackValue = "true",
            description = "Change annotations that are set.")
    private boolean overwrite;

    @Option(names = "--list", description = "Show the annotations.")
    private boolean list;

    @Mixin
    private TargetOptions targets = new TargetOptions();

    public AnnotateCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> names =
                words.stream().takeWhile(word -> !MapEdit.isEdit(word)).toList();
        MapEdit edit = MapEdit.parse("annotation", words.subList(names.size(), words.size()));
        if (edit.isEmpty() && !list) {
            throw new CommandException("error: at least one annotation update is required");
        }
        Console console = Console.of(spec);
        int failures = 0;
        try (ApiClient client = cluster.get().connect()) {
            for (Target target : targets.find(client, names)) {
                failures += annotate(client, target, edit, console) ? 0 : 1;
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }

    private boolean annotate(ApiClient client, Target target, MapEdit edit, Console console)
            throws InterruptedException {
        try {
            Map<String, String> now = Json.map(client.get(target.kind(), target.key()), "metadata", "annotations");
            List<String> clashes = overwrite ? List.of() : edit.clashes(now);
            if (!clashes.isEmpty()) {
                console.complain("error: --overwrite is false but found the following declared annotation(s): "
                        + String.join("; ", clashes));
                return false;
            }
            if (!edit.isEmpty()) {
                client.mergePatch(target.kind(), target.key(), edit.patch("annotations"));
                console.println(target.reference() + " annotated");
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
}
