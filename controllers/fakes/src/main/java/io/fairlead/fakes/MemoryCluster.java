package io.fairlead.fakes;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiException;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster in memory: does what the API server does with the writes of controllers, and what nodes do with pods.
public final class MemoryCluster {
    private static final Set<Kind> STORAGE = Set.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM);

    private final Map<Kind, Map<NamespacedName, ObjectNode>> objects = new HashMap<>();
    private Snapshot snapshot = Snapshot.EMPTY;
    private long revision;
    private int made;
    private final List<Write.Report> reports = new ArrayList<>();
    private Moment moment = Moment.start(Instant.parse("2030-01-01T00:00:00Z"));

    /// The events for users.
    public List<Write.Report> reports() {
        return reports;
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    public Moment moment() {
        return moment;
    }

    public void pass(Duration time) {
        moment = moment.later(moment.time().plus(time), time);
    }

    /// What the agent of a node does while it lives.
    public void beat(String node) {
        NamespacedName name = Lease.ofNode(node);
        String spec = "{\"spec\":{\"holderIdentity\":\"%s\",\"renewTime\":\"%s\"}}".formatted(node, moment.timestamp());
        if (all(Kind.LEASE).containsKey(name)) {
            patch(Kind.LEASE, name, spec);
        } else {
            ObjectNode lease = (ObjectNode) Json.parse(spec);
            lease.putObject("metadata").put("namespace", name.namespace()).put("name", name.name());
            create(Kind.LEASE, lease);
        }
    }

    /// An object of a user: as JSON, with its kind.
    public NamespacedName put(String json) {
        ObjectNode object = (ObjectNode) Json.parse(json);
        Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .orElseThrow();
        return ObjectMeta.of(create(kind, object)).key();
    }

    public ObjectNode create(Kind kind, ObjectNode given) {
        ObjectNode object = given.deepCopy();
        ObjectNode metadata = object.withObject("metadata");
        if (Json.text(metadata, "name").isEmpty()) {
            metadata.put("name", Json.text(metadata, "generateName") + "x" + ++made);
        }
        if (Json.text(metadata, "uid").isEmpty()) {
            metadata.put("uid", "uid-" + ++made);
        }
        metadata.put("creationTimestamp", "t%08d".formatted(revision)).put("generation", 1);
        NamespacedName name = ObjectMeta.of(object).key();
        if (all(kind).containsKey(name)) {
            throw new ApiException(409, "AlreadyExists", kind + " " + name + " exists");
        }
        return store(kind, object);
    }

    public void remove(Kind kind, NamespacedName name) {
        ObjectNode object = find(kind, name);
        all(kind).remove(name);
        see(snapshot.without(view(kind, object)).at(new Revision(++revision)));
        collectGarbage();
    }

    /// What has owners, none of which is there, goes.
    private void collectGarbage() {
        Set<String> there = objects.values().stream()
                .flatMap(kind -> kind.values().stream())
                .map(object -> ObjectMeta.of(object).uid())
                .collect(Collectors.toSet());
        for (Kind kind : List.copyOf(objects.keySet())) {
            for (ObjectNode object : List.copyOf(all(kind).values())) {
                ObjectMeta metadata = ObjectMeta.of(object);
                List<OwnerReference> owners = metadata.owners();
                boolean lost = !owners.isEmpty() && owners.stream().noneMatch(owner -> there.contains(owner.uid()));
                if (lost && !metadata.isTerminating() && all(kind).containsKey(metadata.key())) {
                    delete(kind, metadata.key(), "");
                }
            }
        }
    }

    private static boolean isFinished(ObjectMeta metadata) {
        return metadata.isTerminating() && metadata.finalizers().isEmpty();
    }

    /// Changes an object as RFC 7386 says. Claims and volumes go with their last finalizer; others stay, so that a test
    /// can look at what is left of them.
    public ObjectNode patch(Kind kind, NamespacedName name, JsonNode patch) {
        ObjectNode object = find(kind, name).deepCopy();
        checkVersion(object, patch);
        merge(object, patch);
        if (patch.has("spec")) {
            ObjectNode metadata = object.withObject("metadata");
            metadata.put("generation", metadata.path("generation").longValue() + 1);
        }
        if (STORAGE.contains(kind) && isFinished(ObjectMeta.of(object))) {
            remove(kind, name);
            return object;
        }
        return store(kind, object);
    }

    public void patch(Kind kind, NamespacedName name, String patch) {
        patch(kind, name, Json.parse(patch));
    }

    public ObjectNode find(Kind kind, NamespacedName name) {
        ObjectNode object = all(kind).get(name);
        if (object == null) {
            throw new ApiException(404, "NotFound", kind + " " + name + " not found");
        }
        return object;
    }

    public List<NamespacedName> names(Kind kind) {
        return List.copyOf(all(kind).keySet());
    }

    /// What the API server does.
    public void apply(Write write) {
        switch (write) {
            case Write.Create(Kind kind, ObjectNode object) -> {
                create(kind, object);
                collectGarbage();
            }
            case Write.Update(Kind kind, ObjectNode object) -> update(kind, object);
            case Write.MergePatch(Kind kind, NamespacedName name, ObjectNode patch) -> patch(kind, name, patch);
            case Write.UpdateStatus(Kind kind, NamespacedName name, ObjectNode status, String revision) -> {
                ObjectNode patch = Json.object();
                patch.putObject("metadata").put("resourceVersion", revision);
                patch.set("status", status);
                patch(kind, name, patch);
            }
            case Write.TakeOver takeOver -> takeOver(takeOver);
            case Write.SetCondition(Kind kind, NamespacedName name, String uid, ObjectNode condition) ->
                setCondition(kind, name, uid, condition);
            case Write.Bind(NamespacedName pod, String uid, String node) -> bind(pod, uid, node);
            case Write.Report report -> reports.add(report);
            case Write.Delete(Kind kind, NamespacedName name, String uid) -> delete(kind, name, uid);
            case Write.DeleteUnclaimed unclaimed -> {
                if (all(Kind.PERSISTENT_VOLUME_CLAIM).containsKey(unclaimed.claim())) {
                    throw new AssertionError(unclaimed.volume() + " has a claim: " + unclaimed.claim());
                }
                delete(Kind.PERSISTENT_VOLUME, unclaimed.volume(), unclaimed.uid());
            }
            case Write.DeleteStranded(NamespacedName pod, String uid, String node) -> {
                if (all(Kind.NODE).containsKey(new NamespacedName("", node))) {
                    throw new AssertionError(pod + " has a node: " + node);
                }
                checkUid(find(Kind.POD, pod), uid);
                remove(Kind.POD, pod);
            }
        }
    }

    private void takeOver(Write.TakeOver takeOver) {
        Write.Sight seen = takeOver.seen();
        ObjectNode service = all(Kind.SERVICE).get(seen.service());
        if (service != null && ObjectMeta.of(service).uid().equals(seen.uid())) {
            checkVersion(service, version(seen.revision().isEmpty() ? "none" : seen.revision()));
        }
        patch(Kind.LEASE, takeOver.lease(), takeOver.patch());
    }

    private static ObjectNode version(String revision) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("resourceVersion", revision);
        return object;
    }

    public ObjectNode setCondition(Kind kind, NamespacedName name, String uid, ObjectNode condition) {
        ObjectNode object = find(kind, name).deepCopy();
        checkUid(object, uid);
        ArrayNode conditions = object.withObject("status").withArrayProperty("conditions");
        for (int i = conditions.size() - 1; i >= 0; i--) {
            if (Json.text(conditions.get(i), "type").equals(Json.text(condition, "type"))) {
                conditions.remove(i);
            }
        }
        conditions.add(condition.deepCopy());
        return store(kind, object);
    }

    public ObjectNode update(Kind kind, ObjectNode given) {
        ObjectNode object = given.deepCopy();
        checkVersion(find(kind, ObjectMeta.of(object).key()), object);
        return store(kind, object);
    }

    public void bind(NamespacedName pod, String uid, String node) {
        ObjectNode object = find(Kind.POD, pod).deepCopy();
        if (!Json.text(object, "spec", "nodeName").isEmpty()
                || !ObjectMeta.of(object).uid().equals(uid)) {
            throw new ApiException(409, "Conflict", pod + " has a node");
        }
        object.withObject("spec").put("nodeName", node);
        store(Kind.POD, object);
    }

    /// A pod that runs gets time to end, and an object with finalizers waits for them; others are gone at once.
    public void delete(Kind kind, NamespacedName name, String uid) {
        ObjectNode object = find(kind, name).deepCopy();
        checkUid(object, uid);
        boolean runs =
                kind.equals(Kind.POD) && !Json.text(object, "spec", "nodeName").isEmpty();
        if (runs || !ObjectMeta.of(object).finalizers().isEmpty()) {
            object.withObject("metadata").put("deletionTimestamp", "t%08d".formatted(revision));
            store(kind, object);
        } else {
            remove(kind, name);
        }
    }

    /// What the node does: a pod that was given to it runs, and one that is to end ends.
    public void runPod(NamespacedName name) {
        ObjectNode pod = find(Kind.POD, name);
        if (ObjectMeta.of(pod).isTerminating()) {
            remove(Kind.POD, name);
        } else if (!Json.text(pod, "spec", "nodeName").isEmpty()
                && Json.text(pod, "status", "podIP").isEmpty()) {
            int number = ++made;
            patch(Kind.POD, name, """
                {"status":{"phase":"Running","podIP":"10.%d.%d.%d",
                 "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"%s"}]}}\
                """.formatted(
                            1 + (number >> 16), number >> 8 & 255, number & 255, moment.timestamp()));
        }
    }

    public void runPods() {
        names(Kind.POD).forEach(this::runPod);
    }

    /// Runs controllers, each as often as it has something to write, and gives all that was written.
    public List<Write> settle(List<Controller> controllers) {
        List<Write> all = new ArrayList<>();
        for (int round = 0; round < 1000; round++) {
            int before = all.size();
            for (Controller controller : controllers) {
                for (NamespacedName object : controller.changed(Snapshot.EMPTY, snapshot)) {
                    for (Write write : controller.reconcile(object, snapshot, moment)) {
                        apply(write);
                        all.add(write);
                    }
                }
            }
            if (all.size() == before) {
                return all;
            }
        }
        throw new AssertionError("no end of writes: " + all.subList(all.size() - 20, all.size()));
    }

    public List<Write> settle(Controller controller) {
        return settle(List.of(controller));
    }

    private ObjectNode store(Kind kind, ObjectNode object) {
        object.withObject("metadata").put("resourceVersion", Long.toString(++revision));
        all(kind).put(ObjectMeta.of(object).key(), object);
        see(snapshot.with(view(kind, object)).at(new Revision(revision)));
        return object;
    }

    private void see(Snapshot newer) {
        moment = moment.seeing(snapshot, newer);
        snapshot = newer;
    }

    private static KubernetesObject view(Kind kind, ObjectNode object) {
        return KubernetesObject.of(kind, object.deepCopy()).orElseThrow();
    }

    private Map<NamespacedName, ObjectNode> all(Kind kind) {
        return objects.computeIfAbsent(kind, _ -> new TreeMap<>());
    }

    private static void checkUid(ObjectNode stored, String uid) {
        ObjectMeta metadata = ObjectMeta.of(stored);
        if (!uid.isEmpty() && !metadata.uid().equals(uid)) {
            throw new ApiException(409, "Conflict", metadata.key() + " is another one");
        }
    }

    private static void checkVersion(ObjectNode stored, JsonNode given) {
        String version = Json.text(given, "metadata", "resourceVersion");
        if (!version.isEmpty() && !version.equals(Json.text(stored, "metadata", "resourceVersion"))) {
            throw new ApiException(409, "Conflict", "the object has been modified");
        }
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        patch.propertyStream().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject() && target.path(field.getKey()) instanceof ObjectNode inner) {
                merge(inner, field.getValue());
            } else {
                target.set(field.getKey(), field.getValue().deepCopy());
            }
        });
    }
}
