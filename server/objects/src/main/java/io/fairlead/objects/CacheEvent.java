package io.fairlead.objects;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One change of one object: what it was and what it is, at the revision of the change.
///
/// All watchers share it, so what has to be serialised for one of them is serialised for all.
public final class CacheEvent {
    private final Revision revision;
    private final @Nullable ApiObject previous;
    private final @Nullable ApiObject current;
    private volatile @Nullable ApiObject gone;
    private volatile WeakReference<@Nullable Line> line = new WeakReference<>(null);

    private CacheEvent(Revision revision, @Nullable ApiObject previous, @Nullable ApiObject current) {
        this.revision = revision;
        this.previous = previous;
        this.current = current;
    }

    static CacheEvent put(@Nullable ApiObject previous, ApiObject current) {
        return new CacheEvent(current.revision(), previous, current);
    }

    static CacheEvent delete(ApiObject previous, Revision revision) {
        return new CacheEvent(revision, previous, null);
    }

    Revision revision() {
        return revision;
    }

    /// What the object is after the change, if it is still there.
    Optional<ApiObject> current() {
        return Optional.ofNullable(current);
    }

    /// Makes `objects` what it was before this change, if it is what it was just after.
    void undo(Map<NamespacedName, ApiObject> objects) {
        if (previous != null) {
            objects.put(previous.key(), previous);
        } else if (current != null) {
            objects.remove(current.key());
        }
    }

    /// How the change looks to a watch that sees only objects that match: an object that begins or ceases to match
    /// is added or deleted for it, though it was only modified (K12).
    public Optional<Seen> seenBy(Predicate<ApiObject> selection) {
        ApiObject before = previous != null && selection.test(previous) ? previous : null;
        if (current != null && selection.test(current)) {
            return Optional.of(new Seen(before == null ? Type.ADDED : Type.MODIFIED, current));
        }
        return before == null ? Optional.empty() : Optional.of(new Seen(Type.DELETED, gone(before)));
    }

    /// The line that tells of this change with the whole object, made once for all watches that follow now.
    public byte[] line(Seen seen) {
        Line made = line.get();
        if (made == null || made.type != seen.type) {
            made = new Line(seen.type, line(seen.type.name(), seen.object.json()));
            line = new WeakReference<>(made);
        }
        return made.bytes;
    }

    /// The line of a watch that tells of an object.
    public static byte[] line(String type, byte[] object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
        byte[] line = new byte[head.length + object.length + 2];
        System.arraycopy(head, 0, line, 0, head.length);
        System.arraycopy(object, 0, line, head.length, object.length);
        line[line.length - 2] = '}';
        line[line.length - 1] = '\n';
        return line;
    }

    private ApiObject gone(ApiObject last) {
        ApiObject made = gone;
        if (made == null) {
            made = last.at(revision);
            gone = made;
        }
        return made;
    }

    /// The types of events that tell of an object.
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    private record Line(Type type, byte[] bytes) {}

    /// A change as one watcher sees it.
    public record Seen(Type type, ApiObject object) {}
}
