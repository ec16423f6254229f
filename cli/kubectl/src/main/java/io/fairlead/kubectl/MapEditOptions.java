package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What `label` and `annotate` share: which objects, which changes, and what comes of them.
final class MapEditOptions {
    @Parameters(
            paramLabel = "WORD",
            arity = "1..*",
            description = "KIND NAME... or KIND/NAME..., then KEY=VALUE to set and KEY- to remove.")
    private List<String> words = List.of();

    @Option(names = "--overwrite", arity = "0..1", fallbackValue = "true", description = "Change those that are set.")
    private boolean overwrite;

    @Option(names = "--list", description = "Show those of the objects.")
    private boolean list;

    @Mixin
    private TargetOptions targets = new TargetOptions();

    /// What differs between the two.
    interface Verb {
        /// What one of them is called: `label`.
        String word();

        /// What kubectl says of keys that have another value, where they are not to be overwritten.
        List<String> refusals(List<String> clashes);

        /// What kubectl says when the change is made.
        List<String> outcome(Change change);
    }

    /// A change of one object's labels or annotations.
    record Change(ObjectTarget target, MapEdit edit, Map<String, String> now, boolean overwrite) {
        Map<String, String> then() {
            return edit.applied(now);
        }

        boolean isNone() {
            return then().equals(now);
        }
    }

    /// Changes all objects that were named; the answer is the exit code.
    int run(Cluster cluster, Verb verb, Console console) throws InterruptedException {
        List<String> names =
                words.stream().takeWhile(word -> !MapEdit.isEdit(word)).toList();
        MapEdit edit = MapEdit.parse(verb.word(), words.subList(names.size(), words.size()));
        if (edit.isEmpty() && !list) {
            throw new CommandException("error: at least one %s update is required".formatted(verb.word()));
        }
        int failures = 0;
        try (ApiClient client = cluster.connect()) {
            for (ObjectTarget target : targets.find(client, names)) {
                failures += edit(client, target, edit, verb, console) ? 0 : 1;
            }
        }
        return failures == 0 ? 0 : Refusals.FAILED;
    }

    private boolean edit(ApiClient client, ObjectTarget target, MapEdit edit, Verb verb, Console console)
            throws InterruptedException {
        try {
            String field = verb.word() + "s";
            Map<String, String> now = Json.map(client.get(target.kind(), target.key()), "metadata", field);
            List<String> clashes = overwrite ? List.of() : edit.clashes(now);
            if (!clashes.isEmpty()) {
                verb.refusals(clashes).forEach(console::complain);
                return false;
            }
            Change change = new Change(target, edit, now, overwrite);
            if (!change.isNone()) {
                client.mergePatch(target.kind(), target.key(), edit.patch(field));
            }
            if (!edit.isEmpty()) {
                verb.outcome(change).forEach(console::println);
            }
            if (list) {
                change.then().forEach((key, value) -> console.println(key + "=" + value));
            }
            return true;
        } catch (ApiException e) {
            console.complain(Refusals.sentence(e));
            return false;
        }
    }
}
