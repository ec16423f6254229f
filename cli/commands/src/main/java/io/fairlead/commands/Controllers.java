package io.fairlead.commands;

import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.endpoints.ClusterDns;
import io.fairlead.endpoints.EndpointSliceController;
import io.fairlead.endpoints.EndpointSliceMirroring;
import io.fairlead.endpoints.EndpointsController;
import io.fairlead.placement.ClaimProtection;
import io.fairlead.placement.NodeBlocks;
import io.fairlead.placement.NodeLifecycle;
import io.fairlead.placement.PodScheduler;
import io.fairlead.placement.StrandedPods;
import io.fairlead.placement.TaintEviction;
import io.fairlead.placement.VolumeBinder;
import io.fairlead.placement.VolumeReclaim;
import io.fairlead.runner.Controller;
import io.fairlead.runner.ControllerRunner;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.workloads.DaemonSetController;
import io.fairlead.workloads.DeploymentController;
import io.fairlead.workloads.ReplicaSetController;
import io.fairlead.workloads.StatefulSetController;
import java.util.List;
import java.util.stream.Stream;

/// All controllers of a control plane.
public final class Controllers {
    private Controllers() {}

    public static List<Controller> all(ControllersConfig config) {
        return List.of(
                new NodeBlocks(config.clusterCidrs()),
                new NodeLifecycle(config.nodeGrace()),
                new TaintEviction(config.podEviction()),
                new StrandedPods(),
                new DeploymentController(),
                new ReplicaSetController(),
                ReplicaSetController.ofReplicationControllers(),
                new StatefulSetController(),
                new DaemonSetController(),
                new PodScheduler(),
                new VolumeBinder(),
                new VolumeReclaim(),
                new ClaimProtection(),
                new EndpointSliceController(config.sliceSize()),
                new EndpointSliceMirroring(config.sliceSize()),
                new EndpointsController(),
                new ClusterDns());
    }

    /// What they must see.
    public static List<Interest> interests() {
        return Stream.of(
                        Kind.SERVICE,
                        Kind.ENDPOINT_SLICE,
                        Kind.ENDPOINTS,
                        Kind.POD,
                        Kind.NODE,
                        Kind.LEASE,
                        Kind.SERVICE_CIDR,
                        Kind.DEPLOYMENT,
                        Kind.REPLICA_SET,
                        Kind.REPLICATION_CONTROLLER,
                        Kind.STATEFUL_SET,
                        Kind.DAEMON_SET,
                        Kind.CONTROLLER_REVISION,
                        Kind.PERSISTENT_VOLUME,
                        Kind.PERSISTENT_VOLUME_CLAIM,
                        Kind.STORAGE_CLASS)
                .map(Interest::all)
                .toList();
    }

    /// Runs each in a loop of its own, until the group is closed.
    public static void run(TaskGroup tasks, Reflector reflector, ApiClient client, ControllersConfig config) {
        for (Controller controller : all(config)) {
            ControllerRunner.keep(controller, reflector.snapshots(), client, tasks);
        }
    }
}
