package io.fairlead.workloads;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentVolume.Claim;
import io.fairlead.api.Snapshot;
import io.fairlead.api.StatefulSet;
import io.fairlead.runner.Owners;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The storage of the pods of a StatefulSet: a claim for each template and number, which stays when its pod goes.
record StatefulClaims(StatefulSet set) {

    /// The claims that a pod lacks; nothing where one of them is about to go, which the pod has to wait for.
    Optional<List<Write>> missing(int number, Snapshot now) {
        boolean going = names(number)
                .map(name -> now.claims().find(name))
                .flatMap(Optional::stream)
                .anyMatch(claim -> claim.metadata().isTerminating());
        return going
                ? Optional.empty()
                : Optional.of(set.claims().templates().stream()
                        .filter(template -> !now.claims().contains(name(template, number)))
                        .<Write>map(template -> new Write.Create(Kind.PERSISTENT_VOLUME_CLAIM, made(template, number)))
                        .toList());
    }

    /// The claims of a number that is no more, where they go with their pod.
    Stream<Write> surplus(Snapshot now) {
        if (!set.claims().goWithPod()) {
            return Stream.of();
        }
        return set.claims().templates().stream()
                .flatMap(template -> now.claims()
                        .values()
                        .filter(claim -> isSurplus(claim, template, now))
                        .map(claim -> new Write.Delete(
                                claim.kind(), claim.key(), claim.metadata().uid())));
    }

    private boolean isSurplus(Claim claim, JsonNode template, Snapshot now) {
        String prefix =
                Json.text(template, "metadata", "name") + "-" + set.key().name() + "-";
        String name = claim.key().name();
        String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        if (!claim.key().namespace().equals(set.key().namespace())
                || claim.metadata().isTerminating()
                || !digits.matches("0|[1-9][0-9]{0,8}")) {
            return false;
        }
        int number = Integer.parseInt(digits);
        boolean wanted =
                number >= set.replicas().first() && number < set.replicas().end();
        String pod = set.key().name() + "-" + number;
        return !wanted
                && !now.pods().contains(new NamespacedName(set.key().namespace(), pod))
                && claim.metadata().labels().entrySet().containsAll(labels().entrySet());
    }

    /// The volumes of a pod, each of its own claim; one of the template of the same name is replaced.
    void mount(ObjectNode spec, int number) {
        if (set.claims().templates().isEmpty()) {
            return;
        }
        ArrayNode volumes = Json.object().putArray("volumes");
        for (JsonNode template : set.claims().templates()) {
            ObjectNode volume = volumes.addObject().put("name", Json.text(template, "metadata", "name"));
            volume.putObject("persistentVolumeClaim")
                    .put("claimName", name(template, number).name());
        }
        List<String> own =
                volumes.valueStream().map(volume -> Json.text(volume, "name")).toList();
        spec.path("volumes")
                .valueStream()
                .filter(volume -> !own.contains(Json.text(volume, "name")))
                .forEach(volumes::add);
        spec.set("volumes", volumes);
    }

    private Stream<NamespacedName> names(int number) {
        return set.claims().templates().stream().map(template -> name(template, number));
    }

    private NamespacedName name(JsonNode template, int number) {
        return new NamespacedName(
                set.key().namespace(),
                "%s-%s-%d"
                        .formatted(
                                Json.text(template, "metadata", "name"),
                                set.key().name(),
                                number));
    }

    private ObjectNode made(JsonNode template, int number) {
        ObjectNode claim = Json.object()
                .put("apiVersion", Kind.PERSISTENT_VOLUME_CLAIM.apiVersion())
                .put("kind", Kind.PERSISTENT_VOLUME_CLAIM.name());
        ObjectNode metadata = claim.putObject("metadata")
                .put("namespace", set.key().namespace())
                .put("name", name(template, number).name());
        ObjectNode labels = metadata.putObject("labels");
        Json.map(template, "metadata", "labels").forEach(labels::put);
        labels().forEach(labels::put);
        ObjectNode annotations = metadata.putObject("annotations");
        Json.map(template, "metadata", "annotations").forEach(annotations::put);
        if (set.claims().goWithSet()) {
            metadata.putArray("ownerReferences").add(Owners.reference(set).put("controller", false));
        }
        claim.set("spec", template.path("spec").deepCopy());
        return claim;
    }

    private Map<String, String> labels() {
        return Json.map(set.selector().tree(), "matchLabels");
    }
}
