package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Support;
import java.util.Collection;

/// The packet filter that leads connections to the relay, in the network namespace of the calling thread.
///
/// What it refuses is an [io.fairlead.forwarding.ApplyException], and then nothing has changed.
interface PacketFilter {
    Support support();

    /// Whether there are rules of ours, of this process or another.
    boolean isPresent(Family family);

    /// All rules of ours as the packet filter lists them, without counters; those of both families.
    String listing();

    /// Replaces all rules of ours by those for these entries, at one moment.
    void replace(Collection<UserspaceEntry> entries, Ports ports);

    /// Makes a change of the rules that are there; `after` are all entries once it is made.
    void change(Patch<UserspaceEntry> patch, Collection<UserspaceEntry> after, Ports ports);

    /// Takes all rules of ours away.
    void clear();

    /// Takes the rules away, but has the kernel go on translating the packets of connections that were led here: with
    /// the last rule that asks about connections it would stop to track them. [#forget] or [#clear] ends that.
    void release();

    /// Whether something that [#release] left is there, of this process or another.
    boolean isReleased(Family family);

    /// Ends what [#release] began.
    void forget();
}
