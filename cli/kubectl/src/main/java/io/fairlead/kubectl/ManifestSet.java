package io.fairlead.kubectl;

import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The objects of `-f`, all read and checked before the first is sent: what `apply`, `create` and `replace` share.
public record ManifestSet(List<Manifest> manifests) {

    /// What a verb does with one object, and the word for what became of it: `created`.
    interface Verb {
        String apply(ApiClient client, Manifest manifest) throws InterruptedException;
    }

    static ManifestSet read(List<String> files, NamespaceOptions namespace) {
        return new ManifestSet(ManifestFiles.read(files, namespace, System.in));
    }

    /// Of files and folders; no object where there are none.
    public static ManifestSet read(List<String> files) {
        return files.isEmpty() ? new ManifestSet(List.of()) : read(files, new NamespaceOptions());
    }

    /// Does one thing with each object, says what became of it, and gives those that were refused.
    List<String> each(Cluster cluster, String doing, Verb verb, Console console) throws InterruptedException {
        List<String> failed = new ArrayList<>();
        try (ApiClient client = cluster.connect()) {
            for (Manifest manifest : manifests) {
                try {
                    console.println(manifest.reference() + " " + verb.apply(client, manifest));
                } catch (ApiException e) {
                    console.complain(Refusals.sentence(e, "error when %s %s".formatted(doing, manifest.place())));
                    failed.add(manifest.reference());
                }
            }
        }
        return failed;
    }

    /// Applies all objects, and tells what became of each; the first refusal is a [CommandException].
    public void apply(ApiClient client, Consumer<String> told) throws InterruptedException {
        for (Manifest manifest : manifests) {
            try {
                told.accept(manifest.reference() + " " + ApplyCommand.apply(client, manifest));
            } catch (ApiException e) {
                throw new CommandException(Refusals.sentence(e, "error when applying " + manifest.place()), e);
            }
        }
    }
}
