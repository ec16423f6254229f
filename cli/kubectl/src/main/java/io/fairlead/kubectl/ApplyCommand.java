package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ParseException;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead apply`: makes the cluster hold what the files say.
@Command(
        name = "apply",
        description = {
            "Create the objects of the files, or change those that are there to what the files say.",
            "All files are read and checked before the first object is sent."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead apply -f hello.yaml",
            "  fairlead apply -f manifests/ -n web",
            "  cat hello.yaml | fairlead apply -f -"
        })
public final class ApplyCommand implements Callable<Integer> {
    private static final int TRIES = 5;

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "A file or folder of YAML or JSON, or - for the standard input; may be repeated.")
    private List<String> files = List.of();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public ApplyCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        ManifestSet set = read();
        List<String> failed = set.each(cluster.get(), "applying", ApplyCommand::apply, console);
        if (!failed.isEmpty() && set.manifests().size() > 1) {
            console.complain("error: %d of %d objects were not applied: %s"
                    .formatted(failed.size(), set.manifests().size(), String.join(", ", failed)));
        }
        return failed.isEmpty() ? 0 : Refusals.FAILED;
    }

    private ManifestSet read() {
        try {
            return ManifestSet.read(files, namespace);
        } catch (CommandException e) {
            throw new CommandException(e.sentence() + "\nerror: nothing was applied", e);
        }
    }

    /// `created`, `configured` or `unchanged`.
    static String apply(ApiClient client, Manifest manifest) throws InterruptedException {
        ObjectNode wanted = remembering(manifest.object());
        for (int left = TRIES - 1; ; left--) {
            try {
                Optional<ObjectNode> live = client.find(manifest.kind(), manifest.key());
                if (live.isPresent()) {
                    return patch(client, manifest, wanted, live.get());
                }
                client.create(manifest.kind(), wanted);
                return "created";
            } catch (ApiException e) {
                // Another client wrote, created or deleted it between our reading and our writing: look again.
                if (left == 0 || !e.isConflict()) {
                    throw e;
                }
            }
        }
    }

    private static String patch(ApiClient client, Manifest manifest, ObjectNode wanted, ObjectNode live)
            throws InterruptedException {
        ObjectNode patch = ApplyPatch.between(lastApplied(live), wanted, live);
        if (patch.isEmpty()) {
            return "unchanged";
        }
        // Lists in the patch hold live values, so it is right for this very revision only.
        patch.withObject("metadata")
                .put("resourceVersion", ObjectMeta.of(live).revision().toString());
        client.mergePatch(manifest.kind(), manifest.key(), patch);
        return "configured";
    }

    /// The object with itself in an annotation, so that the next `apply` knows what this one said.
    static ObjectNode remembering(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        ObjectNode annotations = copy.withObject("metadata").withObject("annotations");
        annotations.remove(ApplyPatch.LAST_APPLIED);
        String text = new String(Json.bytes(copy), StandardCharsets.UTF_8) + "\n";
        annotations.put(ApplyPatch.LAST_APPLIED, text);
        return copy;
    }

    private static JsonNode lastApplied(ObjectNode live) {
        try {
            return Json.parse(Json.text(live, "metadata", "annotations", ApplyPatch.LAST_APPLIED));
        } catch (ParseException _) {
            return Json.object(); // never applied, or spoilt by hand: then nothing is ours to remove
        }
    }
}
