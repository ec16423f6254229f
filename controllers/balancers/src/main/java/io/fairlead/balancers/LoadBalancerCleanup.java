package io.fairlead.balancers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds a Service until its address is given back (A15): a finalizer before it gets one, and none after it.
///
/// Without pools it only takes back what an earlier run with pools left. Others use the same finalizer: it is ours on
/// the Services that we have marked, as long as they have no address of another controller.
final class LoadBalancerCleanup implements Controller {
    private final AddressPools pools;

    LoadBalancerCleanup(AddressPools pools) {
        this.pools = pools;
    }

    @Override
    public String name() {
        return "load-balancer-cleanup";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.SERVICE, before, now);
        changed.removeIf(name -> now.services()
                .find(name)
                .filter(service -> LoadBalancers.isOurs(service) || LoadBalancers.hasFinalizer(service))
                .isEmpty());
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.services().find(object).map(service -> writes(service, now)).orElse(List.of());
    }

    private List<Write> writes(Service service, Snapshot now) {
        boolean held = LoadBalancers.hasFinalizer(service);
        if (LoadBalancers.isOurs(service)) {
            boolean elsewhere = pools.pools().isEmpty() || !pools.haveAllOf(service);
            return elsewhere || (held && service.isOnNoMachine()) ? List.of() : List.of(withFinalizer(service));
        }
        if (!held || !isGivenByUs(service, now)) {
            return List.of();
        }
        // First no node leads connections to the address any more, then it is free.
        return service.loadBalancer().ingress().isEmpty()
                ? List.of(withoutFinalizer(service))
                : List.of(release(service));
    }

    private static Write withFinalizer(Service service) {
        List<String> finalizers = new ArrayList<>(service.metadata().finalizers());
        if (!LoadBalancers.hasFinalizer(service)) {
            finalizers.add(LoadBalancers.FINALIZER);
        }
        Write.MergePatch patch = patch(service, finalizers);
        annotations(patch).put(Service.REFUSE_OTHER_PORTS, "true"); // what is from pools is on no machine
        return patch;
    }

    /// The pool of an address may have been taken away; then a claim tells who gave it.
    private boolean isGivenByUs(Service service, Snapshot now) {
        return service.isOnNoMachine()
                && service.loadBalancer().isOurs()
                && service.loadBalancer().ingress().stream()
                        .allMatch(ingress -> ingress.address()
                                .filter(ip -> pools.poolOf(ip).isPresent() || AddressClaims.isHeld(ip, service, now))
                                .isPresent());
    }

    private static Write withoutFinalizer(Service service) {
        List<String> finalizers = new ArrayList<>(service.metadata().finalizers());
        finalizers.remove(LoadBalancers.FINALIZER);
        Write.MergePatch patch = patch(service, finalizers);
        for (String own : List.of(LoadBalancerPlan.PROBLEM, Service.REFUSE_OTHER_PORTS)) {
            if (service.metadata().annotations().containsKey(own)) {
                annotations(patch).putNull(own);
            }
        }
        return patch;
    }

    private static ObjectNode annotations(Write.MergePatch patch) {
        return patch.patch().withObject("metadata").withObject("annotations");
    }

    private static Write release(Service service) {
        ObjectNode status = Json.object();
        status.putObject("loadBalancer").putNull("ingress");
        return new Write.UpdateStatus(
                Kind.SERVICE,
                service.key(),
                status,
                service.metadata().revision().toString());
    }

    // A list is replaced as a whole, so it must be the one that was read.
    private static Write.MergePatch patch(Service service, List<String> finalizers) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata")
                .put("resourceVersion", service.metadata().revision().toString());
        ArrayNode list = metadata.putArray("finalizers");
        finalizers.forEach(list::add);
        return new Write.MergePatch(Kind.SERVICE, service.key(), patch);
    }
}
