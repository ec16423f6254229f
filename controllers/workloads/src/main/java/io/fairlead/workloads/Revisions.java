package io.fairlead.workloads;

import io.fairlead.api.ControllerRevision;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Owners;
import io.fairlead.runner.Write;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The templates that a StatefulSet or DaemonSet has and had, as ControllerRevisions, oldest first.
///
/// A revision is named by the hash of its template, so that going back to an old template finds its revision again.
/// `newest` is the name of the one that the workload has now.
record Revisions(KubernetesObject owner, JsonNode template, List<ControllerRevision> all, String newest) {
    static final String LABEL = "controller-revision-hash";

    static Revisions of(KubernetesObject owner, JsonNode template, Snapshot now) {
        return new Revisions(
                owner,
                template,
                now.revisionsOf(owner).stream()
                        .sorted(Comparator.comparingLong(ControllerRevision::revision)
                                .thenComparing(ControllerRevision::key))
                        .toList(),
                owner.key().name() + "-" + TemplateHash.of(template));
    }

    /// The revision that a pod was made of.
    static String of(Pod pod) {
        return pod.metadata().labels().getOrDefault(LABEL, "");
    }

    /// The template of a revision; the newest where that one is not known any more.
    JsonNode template(String revision) {
        return find(revision)
                .map(known -> Json.at(known.data(), "spec", "template"))
                .orElse(template);
    }

    boolean has(String revision) {
        return find(revision).isPresent();
    }

    private Optional<ControllerRevision> find(String revision) {
        return all.stream().filter(known -> known.key().name().equals(revision)).findFirst();
    }

    /// What makes the template as it is now the newest revision; nothing if it is.
    Optional<Write> recorded() {
        long last = all.isEmpty() ? 0 : all.getLast().revision();
        Optional<ControllerRevision> known = find(newest);
        if (known.isEmpty()) {
            return Optional.of(new Write.Create(Kind.CONTROLLER_REVISION, tree(last + 1)));
        }
        if (known.get().revision() == last) {
            return Optional.empty();
        }
        ObjectNode patch = DeploymentController.patchOf(known.get());
        patch.put("revision", last + 1);
        return Optional.of(
                new Write.MergePatch(Kind.CONTROLLER_REVISION, known.get().key(), patch));
    }

    /// The oldest of those that are not used go when there are more of them than `limit`.
    List<Write> forgotten(int limit, Set<String> used) {
        List<ControllerRevision> unused = all.stream()
                .filter(known -> !known.key().name().equals(newest)
                        && !used.contains(known.key().name()))
                .toList();
        return unused.stream()
                .limit(Math.max(0, unused.size() - limit))
                .<Write>map(known -> new Write.Delete(
                        Kind.CONTROLLER_REVISION, known.key(), known.metadata().uid()))
                .toList();
    }

    private ObjectNode tree(long revision) {
        NamespacedName key = owner.key();
        ObjectNode tree = Json.object()
                .put("apiVersion", Kind.CONTROLLER_REVISION.apiVersion())
                .put("kind", Kind.CONTROLLER_REVISION.name());
        ObjectNode metadata = tree.putObject("metadata").put("name", newest).put("namespace", key.namespace());
        if (Json.at(template, "metadata", "labels") instanceof ObjectNode labels) {
            metadata.set("labels", labels.deepCopy()); // kubectl finds the revisions by the workload's selector
        }
        metadata.putArray("ownerReferences").add(Owners.reference(owner));
        ObjectNode whole = template instanceof ObjectNode given ? given.deepCopy() : Json.object();
        // As a patch it takes the place of the whole template, and is not mixed with it.
        whole.put("$patch", "replace");
        tree.putObject("data").putObject("spec").set("template", whole);
        return tree.put("revision", revision);
    }
}
