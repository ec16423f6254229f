package io.fairlead.balancers;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// Gives Services of type LoadBalancer an address from the pools (A15).
///
/// Its one object is the set of all addresses: who gives two Services an address at once must see both. The runner
/// then waits until a Snapshot shows all that was given; and [AddressClaims] keep apart what several control planes
/// give.
final class LoadBalancerAllocator implements Controller {
    private static final NamespacedName ALL = new NamespacedName("", "addresses");

    private final AddressPools pools;

    LoadBalancerAllocator(AddressPools pools) {
        this.pools = pools;
    }

    @Override
    public String name() {
        return "load-balancer-allocator";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        boolean concerned = !pools.pools().isEmpty()
                && (servicesChanged(before, now)
                        || nodesChanged(before, now)
                        || Lookup.changed(Kind.LEASE, before, now).stream().anyMatch(AddressClaims::isClaim)
                        || !Lookup.changed(Kind.SERVICE_CIDR, before, now).isEmpty());
        return concerned ? Set.of(ALL) : Set.of();
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return LoadBalancerPlan.writes(pools, now);
    }

    private static boolean servicesChanged(Snapshot before, Snapshot now) {
        AtomicBoolean changed = new AtomicBoolean();
        Lookup.changes(
                before.services(),
                now.services(),
                (was, is) -> changed.compareAndSet(false, isBalanced(was) || isBalanced(is)));
        return changed.get();
    }

    private static boolean isBalanced(Optional<Service> service) {
        return service.filter(s -> s.type() == Service.Type.LOAD_BALANCER
                        || !s.externalIps().isEmpty())
                .isPresent();
    }

    // Nodes tell something every few seconds, but seldom where they are.
    private static boolean nodesChanged(Snapshot before, Snapshot now) {
        AtomicBoolean changed = new AtomicBoolean();
        Lookup.changes(
                before.nodes(),
                now.nodes(),
                (was, is) -> changed.compareAndSet(
                        false,
                        !was.map(Node::addresses).equals(is.map(Node::addresses))
                                || !was.map(Node::podCidrs).equals(is.map(Node::podCidrs))));
        return changed.get();
    }
}
