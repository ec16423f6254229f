package io.fairlead.upkeep;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StoreKey;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Which API servers there are: those that share a store each renew a Lease in `kube-system`.
///
/// A server lives as long as the others see its Lease change. The time between is measured here, on a clock that only
/// goes forward, so that the clocks of the servers need not agree. Where the store is ours alone, we are all there is.
public final class ServerLeases {
    public static final Duration LIFE = Duration.ofSeconds(15);
    static final Duration RENEWAL = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ServerLeases.class);
    private static final String HOME = "kube-system";
    private static final String IDENTITY = "apiserver.kubernetes.io/identity";
    private static final String PROGRAM = "kube-apiserver";

    private final Store store;
    private final WatchCache cache;
    private final ObjectWrites writes;
    private final List<IpPort> own;
    private final Stamp stamp;
    private final LongSupplier nanos;
    private final Map<NamespacedName, Seen> seen = new HashMap<>();
    private long renewed;

    private record Seen(Revision revision, long nanos) {}

    public ServerLeases(
            Store store, WatchCache cache, ObjectWrites writes, List<IpPort> own, Stamp stamp, LongSupplier nanos) {
        this.store = store;
        this.cache = cache;
        this.writes = writes;
        this.own = List.copyOf(own);
        this.stamp = stamp;
        this.nanos = nanos;
        this.renewed = nanos.getAsLong() - RENEWAL.toNanos();
    }

    /// The addresses of all servers that live, ours among them; renews our Lease where that is due.
    public List<IpPort> addresses() throws InterruptedException {
        if (!store.isShared() || own.isEmpty()) {
            return own;
        }
        renewIfDue();
        TreeSet<IpPort> all = new TreeSet<>(own);
        for (ApiObject lease : leases()) {
            if (isAlive(lease)) {
                all.addAll(held(lease));
            } else if (writes.remove(lease).isPresent()) {
                LOG.warn("event=server-gone lease={} addresses={}", lease.key().name(), held(lease));
            }
        }
        return List.copyOf(all);
    }

    private List<ApiObject> leases() {
        return cache.of(Kind.LEASE).list(HOME).items().stream()
                .filter(lease -> PROGRAM.equals(
                        Json.map(lease.tree(), "metadata", "labels").get(IDENTITY)))
                .toList();
    }

    private boolean isAlive(ApiObject lease) {
        Seen now = new Seen(lease.revision(), nanos.getAsLong());
        Seen last = seen.merge(lease.key(), now, (a, b) -> a.revision.equals(b.revision) ? a : b);
        return lease.key().equals(name()) || now.nanos - last.nanos < LIFE.toNanos();
    }

    private static List<IpPort> held(ApiObject lease) {
        return Stream.of(Json.text(lease.tree(), "spec", "holderIdentity").split(","))
                .flatMap(address -> find(address).stream())
                .toList();
    }

    /// A client that may write Leases may have written anything.
    private static Optional<IpPort> find(String address) {
        try {
            return Optional.of(IpPort.parse(address));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private void renewIfDue() throws InterruptedException {
        if (nanos.getAsLong() - renewed < RENEWAL.toNanos()) {
            return;
        }
        if (!writes.createIfAbsent(Kind.LEASE, name(), renewedLease(Json.object()))) {
            writes.update(Kind.LEASE, name(), UpdatePart.SPEC, old -> renewedLease(old.copy()), Author.SERVER);
        }
        renewed = nanos.getAsLong();
    }

    private ObjectNode renewedLease(ObjectNode lease) {
        Tree.object(Tree.object(lease, "metadata"), "labels").put(IDENTITY, PROGRAM);
        String addresses = own.stream().map(IpPort::toString).collect(Collectors.joining(","));
        Tree.object(lease, "spec")
                .put("holderIdentity", addresses)
                .put("leaseDurationSeconds", (int) LIFE.toSeconds())
                .put("renewTime", stamp.microtime());
        return lease;
    }

    private NamespacedName name() {
        String address = own.getFirst().toString().replaceAll("[^0-9a-z.]+", "-");
        return new NamespacedName(HOME, "apiserver-" + address.replaceAll("^-", ""));
    }

    /// Tells the others that we go, so that they send no client to us any more.
    public void leave() {
        if (!store.isShared() || own.isEmpty()) {
            return;
        }
        try {
            cache.of(Kind.LEASE)
                    .find(name())
                    .ifPresent(lease -> store.delete(StoreKey.of(lease.kind(), lease.key()), lease.revision()));
        } catch (StoreException e) {
            LOG.warn("event=lease-kept reason=\"{}\"", e.getMessage());
        }
    }
}
