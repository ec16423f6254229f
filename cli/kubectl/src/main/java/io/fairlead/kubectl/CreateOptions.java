package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// How an object that a command wrote is created: where, whether at all, and what is printed.
final class CreateOptions {
    /// `--dry-run`.
    enum DryRun {
        NONE,
        CLIENT
    }

    @Option(
            names = "--dry-run",
            paramLabel = "none|client",
            description = "With client, print the object and send nothing.")
    private DryRun dryRun = DryRun.NONE;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "yaml, json or name.")
    private OutputFormat format = OutputFormat.TABLE;

    /// Where the object goes, and what is said of it.
    ///
    /// @param done    `created`
    /// @param failure what kubectl says before a refusal: `failed to create deployment`; or nothing
    record Words(NamespaceOptions namespace, Console console, String done, String failure) {}

    /// The exit code.
    int create(Supplier<Cluster> cluster, ObjectNode object, Words words) throws InterruptedException {
        NamespaceOptions namespace = words.namespace;
        Kind kind = Kind.find(
                        object.path("apiVersion").asString(),
                        object.path("kind").asString())
                .orElseThrow();
        if (kind.namespaced() && (namespace.isGiven() || dryRun == DryRun.NONE)) {
            object.withObject("metadata").put("namespace", namespace.name());
        }
        if (dryRun == DryRun.CLIENT) {
            print(kind, object, words.done + " (dry run)", words.console);
            return 0;
        }
        try (ApiClient client = cluster.get().connect()) {
            print(kind, client.create(kind, object), words.done, words.console);
            return 0;
        } catch (ApiException e) {
            words.console.complain(
                    words.failure.isEmpty() || e.isUnanswered()
                            ? Refusals.sentence(e)
                            : "error: %s: %s".formatted(words.failure, e.getMessage()));
            return Refusals.FAILED;
        }
    }

    private void print(Kind kind, ObjectNode object, String done, Console console) {
        String name = object.path("metadata").path("name").asString();
        console.print(
                format.isTable()
                        ? ResourceArguments.reference(kind, name) + " " + done + "\n"
                        : ObjectText.of(format, true, List.of(object)));
    }
}
