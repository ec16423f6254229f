package io.fairlead.forwarding;

import java.util.List;

/// A way to program the node: the door in front of nftables and its siblings.
///
/// A backend never sees a Service, only rows of the forwarding table; so a Service means the same in every mode.
/// The unit of compiling is one Service: a Program is the union of the foundation and of what each Service gives,
/// and cost follows the change.
public interface Backend<E extends Entry> extends AutoCloseable {
    Support support();

    /// What stands in the kernel even without a Service. Pure. Addresses and service networks may change while the
    /// backend runs; how pods are told, and the mark, are as they were when it was opened.
    List<E> foundation(NodeFacts node);

    /// What the rows of one Service need. Pure; the same rows give the same entries.
    List<E> compile(List<Forwarding> rows);

    /// What the kernel holds of ours; throws [ApplyException] if it does not say.
    Program<E> observe();

    /// What the first patch, and the first after a failure, starts from: all that is there, or less where to write it
    /// anew is quicker than to read it. Then the patch says what to throw away.
    default Program<E> baseline() {
        return observe();
    }

    /// Makes the change, whole or not at all where the kernel allows it. Throws [ApplyException] if the kernel
    /// refuses, also because the patch does not fit what is there.
    void apply(Patch<E> patch);

    /// Lets go of the kernel's door; what is programmed stays.
    @Override
    void close();
}
