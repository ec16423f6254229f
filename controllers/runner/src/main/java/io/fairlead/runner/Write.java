package io.fairlead.runner;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import tools.jackson.databind.node.ObjectNode;

/// One thing that a controller wants the API server to do.
public sealed interface Write {
    /// A new object; it may leave the end of its name to the server (`generateName`).
    record Create(Kind kind, ObjectNode object) implements Write {}

    /// The whole object anew; its `resourceVersion` says which one it replaces.
    record Update(Kind kind, ObjectNode object) implements Write {}

    /// The fields that `patch` names (RFC 7386); a `resourceVersion` in it says which object it changes.
    record MergePatch(Kind kind, NamespacedName name, ObjectNode patch) implements Write {}

    /// The fields of the status that `status` names (RFC 7386); refused if the object is at another revision by now,
    /// unless `revision` is empty.
    record UpdateStatus(Kind kind, NamespacedName name, ObjectNode status, String revision) implements Write {}

    /// Gives the Lease of an address another holder than a Service that does not have it any more. That Service
    /// may only seem so: the applier asks the API server first whether it is as it was `seen`.
    record TakeOver(NamespacedName lease, ObjectNode patch, Sight seen) implements Write {}

    /// How a Service was seen: at this revision, or gone where that is empty.
    record Sight(NamespacedName service, String uid, String revision) {}

    /// One condition of the status; the others stay. Refused if the object of that name is another one by now.
    record SetCondition(Kind kind, NamespacedName name, String uid, ObjectNode condition) implements Write {}

    /// Gives a pod its node.
    record Bind(NamespacedName pod, String uid, String node) implements Write {}

    /// Deletes the object of this uid, not a later one of the same name.
    record Delete(Kind kind, NamespacedName name, String uid) implements Write {}

    /// Deletes a pod at once, because its node is gone. The kinds of a Snapshot arrive apart from each other, so that
    /// a node may only seem to be gone: the applier asks the API server first.
    record DeleteStranded(NamespacedName pod, String uid, String node) implements Write {}

    /// Deletes a volume, with what is in it, because its claim is gone. That claim may only not be seen yet: the
    /// applier
    /// asks the API server first.
    record DeleteUnclaimed(NamespacedName volume, String uid, NamespacedName claim, String claimUid) implements Write {}

    /// Tells the users of an object what they should know: an Event.
    record Report(EventDraft event) implements Write {}
}
