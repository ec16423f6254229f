package io.fairlead.kubectl;

import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `fairlead replace`: puts the objects of files in the place of those that are there.
@Command(
        name = "replace",
        description = "Replace objects by those of the files, whole.",
        footer = {"", "Examples:", "  fairlead replace -f hello.yaml", "  cat hello.yaml | fairlead replace -f -"})
public final class ReplaceCommand implements Callable<Integer> {
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

    public ReplaceCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        List<Manifest> manifests = ManifestFiles.read(files, namespace, System.in);
        int failures = 0;
        try (ApiClient client = cluster.get().connect()) {
            for (Manifest manifest : manifests) {
                try {
                    client.update(manifest.kind(), manifest.object());
                    console.println(manifest.reference() + " replaced");
                } catch (ApiException e) {
                    console.complain(Refusals.sentence(e, "error when replacing " + manifest.place()));
                    failures++;
                }
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }
}
