package io.fairlead.forwarding;

/// A way to program the node: the door in front of nftables and its siblings.
///
/// A backend never sees a Service, only rows of the forwarding table; so a Service means the same in every mode.
///
/// **Threads.** One thread, the one that opened the backend, calls [#observe], [#apply], [Wake] and
/// [DriftWatch]; it is a platform thread and may block there for as long as the kernel takes. [#compiler] is
/// pure and may be used by any thread. [ConnectionCounters] are read by another thread than the one that
/// applies.
///
/// **Failure.** Whatever the kernel refuses is an [ApplyException]. After one, the caller does not know what the
/// kernel took: it observes, and applies the difference. What was programmed before goes on leading connections.
///
/// **Two families.** What a [Lifetime#DURABLE] backend programs outlives the process: a successor observes it
/// and goes on without a gap. A [Lifetime#PROCESS_BOUND] backend (a relay) leads connections itself: they end
/// with it, a successor observes nothing and programs everything anew.
public interface Backend<E extends Entry> extends AutoCloseable {
    /// Whether this machine can run it, and if not why. Asked once, before anything else.
    Support support();

    /// The pure part: what the rows of a table are in this backend's language.
    Compiler<E> compiler();

    /// What the kernel holds of ours: all of it, or what the first patch starts from.
    Program<E> observe(Extent extent);

    /// Makes the change, whole or not at all where the kernel allows it. Throws [ApplyException] if the kernel
    /// refuses, also because the patch does not fit what is there. An empty patch touches nothing.
    void apply(Patch<E> patch);

    /// What else it can do; the same values for as long as it is open.
    Abilities abilities();

    /// All that the kernel holds of ours.
    default Program<E> observe() {
        return observe(Extent.WHOLE);
    }

    /// Lets go of the kernel's door; what a durable backend programmed stays.
    @Override
    void close();
}
