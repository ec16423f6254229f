package io.fairlead.balancers;

import io.fairlead.api.Kind;
import io.fairlead.api.Service;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.runner.Controller;
import io.fairlead.runner.ControllerRunner;
import io.fairlead.runtime.TaskGroup;
import java.util.List;

/// The part of a control plane that a cloud has for Services of type LoadBalancer, without a cloud.
///
/// It serves those that name no class, and those that name [Service.LoadBalancer#CLASS].
public final class LoadBalancers {
    static final String FINALIZER = "service.kubernetes.io/load-balancer-cleanup";

    private LoadBalancers() {}

    public static List<Controller> controllers(AddressPools pools) {
        return List.of(new LoadBalancerCleanup(pools), new LoadBalancerAllocator(pools));
    }

    /// What they must see.
    public static List<Interest> interests() {
        return List.of(
                Interest.all(Kind.SERVICE),
                Interest.all(Kind.NODE),
                Interest.labelled(Kind.LEASE, AddressClaims.LABEL).in(AddressClaims.NAMESPACE),
                Interest.all(Kind.SERVICE_CIDR).ifThere());
    }

    /// Runs each in a loop of its own, until the group is closed.
    public static void run(AddressPools pools, TaskGroup tasks, Reflector reflector, ApiClient client) {
        for (Controller controller : controllers(pools)) {
            ControllerRunner.keep(controller, reflector.snapshots(), client, tasks);
        }
    }

    /// True if we are to give it an address.
    static boolean isOurs(Service service) {
        return service.type() == Service.Type.LOAD_BALANCER
                && service.loadBalancer().isOurs()
                && !service.metadata().isTerminating();
    }

    static boolean hasFinalizer(Service service) {
        return service.metadata().finalizers().contains(FINALIZER);
    }
}
