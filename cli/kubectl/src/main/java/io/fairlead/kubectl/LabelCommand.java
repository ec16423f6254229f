package io.fairlead.kubectl;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    @Mixin
    private MapEditOptions options = new MapEditOptions();

    public LabelCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        return options.run(cluster.get(), new Labels(), Console.of(spec));
    }

    private record Labels() implements MapEditOptions.Verb {
        @Override
        public String word() {
            return "label";
        }

        @Override
        public List<String> refusals(List<String> clashes) {
            return clashes.stream()
                    .map(clash -> "error: " + clash + ", and --overwrite is false")
                    .toList();
        }

        @Override
        public List<String> outcome(MapEditOptions.Change change) {
            Stream<String> absent = change.edit().remove().stream()
                    .filter(key -> !change.now().containsKey(key))
                    .map("label \"%s\" not found."::formatted);
            return Stream.concat(absent, Stream.of(change.target().reference() + " " + word(change)))
                    .toList();
        }

        /// As kubectl calls it: what became shorter was unlabeled.
        private static String word(MapEditOptions.Change change) {
            if (change.isNone()) {
                return "not labeled";
            }
            return !change.overwrite() && length(change.then()) < length(change.now()) ? "unlabeled" : "labeled";
        }

        private static int length(Map<String, String> labels) {
            return labels.toString().length();
        }
    }
}
