package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Which objects a command works on: those of files, those that are named, those with labels, or all of a kind.
final class TargetOptions {
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

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    boolean hasFiles() {
        return !files.isEmpty();
    }

    NamespaceOptions namespace() {
        return namespace;
    }

    /// The objects; `words` are KIND NAME... or KIND/NAME....
    List<Target> find(ApiClient client, List<String> words) throws InterruptedException {
        check(words);
        if (hasFiles()) {
            return ManifestFiles.read(files, namespace, System.in).stream()
                    .map(manifest -> new Target(manifest.kind(), manifest.key()))
                    .toList();
        }
        List<Target> targets = new ArrayList<>();
        for (Wanted one : ResourceArguments.parse(words)) {
            for (String name : one.names().isEmpty() ? labelled(client, one.kind()) : one.names()) {
                targets.add(new Target(one.kind(), namespace.key(one.kind(), name)));
            }
        }
        return targets;
    }

    private void check(List<String> words) {
        if (hasFiles() && !words.isEmpty()) {
            throw new CommandException("error: give KIND NAME... or -f FILE, not both");
        }
        if (words.isEmpty() && !hasFiles()) {
            throw new CommandException(
                    "error: one or more resources must be specified as <resource> <name> or " + "<resource>/<name>");
        }
    }

    private List<String> labelled(ApiClient client, Kind kind) throws InterruptedException {
        if (!all && selector.isEmpty()) {
            throw new CommandException("error: resource(s) were provided, but no name was specified");
        }
        String place = kind.namespaced() ? namespace.name() : "";
        return client.list(Interest.labelled(kind, selector), place)
                .path("items")
                .valueStream()
                .map(item -> ObjectMeta.of(item).key().name())
                .toList();
    }
}
