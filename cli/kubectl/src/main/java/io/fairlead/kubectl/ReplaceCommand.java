package io.fairlead.kubectl;

import io.fairlead.client.ApiClient;
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
        List<String> failed = ManifestSet.read(files, namespace)
                .each(cluster.get(), "replacing", ReplaceCommand::replace, Console.of(spec));
        return failed.isEmpty() ? 0 : Refusals.FAILED;
    }

    private static String replace(ApiClient client, Manifest manifest) throws InterruptedException {
        client.update(manifest.kind(), manifest.object());
        return "replaced";
    }
}
