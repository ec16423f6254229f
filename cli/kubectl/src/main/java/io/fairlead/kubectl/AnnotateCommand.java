package io.fairlead.kubectl;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    @Mixin
    private MapEditOptions options = new MapEditOptions();

    public AnnotateCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        return options.run(cluster.get(), new Annotations(), Console.of(spec));
    }

    private record Annotations() implements MapEditOptions.Verb {
        @Override
        public String word() {
            return "annotation";
        }

        @Override
        public List<String> refusals(List<String> clashes) {
            return List.of("error: --overwrite is false but found the following declared annotation(s): "
                    + String.join("; ", clashes));
        }

        @Override
        public List<String> outcome(MapEditOptions.Change change) {
            return List.of(change.target().reference() + " annotated");
        }
    }
}
