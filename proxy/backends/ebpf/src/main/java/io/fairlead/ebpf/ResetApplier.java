package io.fairlead.ebpf;

import io.fairlead.ebpf.EbpfEntry.Element;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.kernel.BpfMap;
import io.fairlead.kernel.DiagSocket;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetworkNamespace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends TCP connections that can never be answered: those that were led to a target which went some time ago.
///
/// A connection that was led as it began has no packet that the node would refuse: it waits until TCP gives up. Only
/// who is asked to does this, for a target may still serve what it has when its Service does not name it any more.
final class ResetApplier {
    private static final Logger LOG = LoggerFactory.getLogger(ResetApplier.class);

    private final Optional<Duration> after;
    private final String group;
    private final Map<AddressKey, Long> gone = new HashMap<>(); // until when its connections may stay, in nanoseconds

    /// Never where `after` is empty; `group` is the path of the control group whose processes have such connections.
    ResetApplier(Optional<Duration> after, String group) {
        this.after = after;
        this.group = group;
    }

    /// These elements are in no map any more.
    void removed(Collection<? extends Element> elements) {
        after.ifPresent(wait -> elements.forEach(element -> {
            if (element instanceof Endpoint(var _, var _, AddressKey target)) {
                gone.putIfAbsent(target, System.nanoTime() + wait.toNanos());
            }
        }));
    }

    Optional<Duration> nextLook() {
        return gone.values().stream()
                .min(Long::compare)
                .map(until -> Duration.ofNanos(Math.max(0, until - System.nanoTime())));
    }

    /// Ends what has had its time; those whose target came back are left alone.
    void look(Map<String, BpfMap> maps) {
        long now = System.nanoTime();
        Set<AddressKey> due = new HashSet<>();
        gone.forEach((target, until) -> {
            if (until - now <= 0) {
                due.add(target);
            }
        });
        gone.keySet().removeAll(due);
        if (!due.isEmpty()) {
            forEach(
                    maps,
                    EbpfTable.ENDPOINT.toString(),
                    (key, value) ->
                            due.remove(((Endpoint) EbpfMessages.decode(EbpfTable.ENDPOINT, key, value)).target()));
            reset(sockets(maps, due));
        }
    }

    /// The sockets that were led to one of these targets.
    private static Set<Long> sockets(Map<String, BpfMap> maps, Set<AddressKey> targets) {
        Set<Long> sockets = new HashSet<>();
        forEach(maps, "peer", (key, value) -> {
            ByteBuffer pair = ByteBuffer.wrap(value);
            EbpfMessages.place(pair);
            if (targets.contains(EbpfMessages.place(pair))) {
                sockets.add(ByteBuffer.wrap(key).order(ByteOrder.nativeOrder()).getLong());
            }
        });
        return sockets;
    }

    private static void forEach(Map<String, BpfMap> maps, String name, BiConsumer<byte[], byte[]> action) {
        Optional.ofNullable(maps.get(name)).ifPresent(map -> map.forEach(action));
    }

    /// A socket is in the network namespace of its process.
    private void reset(Set<Long> sockets) {
        if (sockets.isEmpty()) {
            return;
        }
        int count = 0;
        for (long process : ProcessReader.oneOfEachNamespace(group)) {
            try {
                count += NetworkNamespace.callInThatOf(process, () -> resetHere(sockets));
            } catch (KernelException e) {
                LOG.warn("event=connections-not-reset process={} reason=\"{}\"", process, e.getMessage());
            }
        }
        LOG.info("event=connections-reset count={} reason=\"their target is gone\"", count);
    }

    private static int resetHere(Set<Long> sockets) {
        int count = 0;
        try (DiagSocket diag = DiagSocket.open()) {
            for (DiagSocket.Connection connection : diag.connections()) {
                if (sockets.contains(connection.cookie()) && diag.reset(connection)) {
                    count++;
                }
            }
        }
        return count;
    }
}
