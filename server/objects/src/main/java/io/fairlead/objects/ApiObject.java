package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Tree;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One state of one object, as clients see it: its bytes, made once for all readers, and a tree to compute with.
///
/// The tree of an object is several times as large as its bytes, and most objects are only ever passed on: so the tree
/// is read from the bytes when a caller wants it, and kept while a caller has it. It is shared between threads, so
/// no caller changes it: [#copy] is for those that want to.
public final class ApiObject {
    private static final int ITEM_START = "{'kind':'','apiVersion':'',".length();
    private static final AtomicLong MADE = new AtomicLong();

    private final long number = MADE.incrementAndGet();
    private final Kind kind;
    private final ObjectHead head;
    private final Revision revision;
    private final byte[] json;
    private volatile WeakReference<@Nullable ObjectNode> read;

    private ApiObject(Kind kind, ObjectHead head, Revision revision, byte[] json, @Nullable ObjectNode tree) {
        this.kind = kind;
        this.head = head;
        this.revision = revision;
        this.json = json;
        this.read = new WeakReference<>(tree);
    }

    /// The object that `tree` is at `revision`; the tree itself stays as it is.
    public static ApiObject of(Kind kind, JsonNode tree, Revision revision) {
        ObjectNode copy = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
        ObjectNode metadata = copy.putObject("metadata");
        tree.path("metadata").propertyStream().forEach(field -> metadata.set(field.getKey(), field.getValue()));
        setRevision(metadata, revision);
        tree.propertyStream().forEach(field -> copy.putIfAbsent(field.getKey(), field.getValue()));
        return new ApiObject(kind, ObjectHead.of(copy), revision, Json.bytes(copy), copy);
    }

    /// The object that is stored as `value`, written at `revision`.
    public static ApiObject of(Kind kind, byte[] value, Revision revision) {
        Optional<StoredForm.Front> front = StoredForm.read(kind, value);
        return front.isPresent() ? of(kind, value, front.get(), revision) : of(kind, Json.parse(value), revision);
    }

    private static ApiObject of(Kind kind, byte[] value, StoredForm.Front front, Revision revision) {
        return new ApiObject(kind, front.head(), revision, StoredForm.at(revision, value, front.metadataEnd()), null);
    }

    /// Itself, with `tree`, which is what was stored: no caller needs to read it from the bytes.
    ApiObject with(ObjectNode tree) {
        setRevision(Tree.object(tree, "metadata"), revision);
        read = new WeakReference<>(tree);
        return this;
    }

    private static void setRevision(ObjectNode metadata, Revision revision) {
        if (revision.isAfter(Revision.ZERO)) {
            metadata.put("resourceVersion", revision.toString());
        } else {
            metadata.remove("resourceVersion");
        }
    }

    /// This state, told at a later revision: how a deletion shows what was deleted.
    ApiObject at(Revision later) {
        return of(kind, tree(), later);
    }

    public ObjectNode copy() {
        return (ObjectNode) Json.parseTrusted(json);
    }

    public Kind kind() {
        return kind;
    }

    public NamespacedName key() {
        return head.key();
    }

    public Revision revision() {
        return revision;
    }

    public ObjectNode tree() {
        ObjectNode tree = read.get();
        if (tree == null) {
            tree = copy();
            read = new WeakReference<>(tree);
        }
        return tree;
    }

    /// Which of all that were ever made here: no two have the same, so one with this number has these bytes.
    long number() {
        return number;
    }

    public byte[] json() {
        return json;
    }

    /// How many bytes of [#json] an item of a list goes without: it does not say of what kind it is, as its list does.
    public int itemStart() {
        return ITEM_START + kind.name().length() + kind.apiVersion().length();
    }

    public Map<String, String> labels() {
        return head.labels();
    }

    /// The uids of those that it belongs to.
    List<String> owners() {
        return head.owners();
    }

    public String uid() {
        return Json.text(tree(), "metadata", "uid");
    }

    public boolean isTerminating() {
        return head.terminating();
    }

    @Override
    public String toString() {
        return kind + " " + key() + "@" + revision;
    }
}
