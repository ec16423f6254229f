package io.fairlead.api;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A typed view of an object, for those who compute with it: only the fields that a room here uses.
public sealed interface KubernetesObject
        permits Service,
                EndpointSlice,
                Endpoints,
                ServiceCidr,
                Pod,
                Node,
                Deployment,
                ReplicaSet,
                StatefulSet,
                DaemonSet,
                ControllerRevision,
                Lease,
                Namespace,
                Ingress,
                IngressClass,
                ConfigMap,
                Secret,
                PersistentVolume,
                PersistentVolume.Claim,
                PersistentVolume.StorageClass {
    ObjectMeta metadata();

    Kind kind();

    default NamespacedName key() {
        return metadata().key();
    }

    /// The view of an object of `kind`; nothing where no program computes with that kind.
    static Optional<KubernetesObject> of(Kind kind, JsonNode json) {
        return switch (kind.name()) {
            case "Service" -> Optional.of(Service.of(json));
            case "EndpointSlice" -> Optional.of(EndpointSlice.of(json));
            case "Endpoints" -> Optional.of(Endpoints.of(json));
            case "ServiceCIDR" -> Optional.of(ServiceCidr.of(json));
            case "Pod" -> Optional.of(Pod.of(json));
            case "Node" -> Optional.of(Node.of(json));
            case "Deployment" -> Optional.of(Deployment.of(json));
            case "ReplicaSet" -> Optional.of(ReplicaSet.of(json));
            case "ReplicationController" -> Optional.of(ReplicaSet.ofController(json));
            case "StatefulSet" -> Optional.of(StatefulSet.of(json));
            case "DaemonSet" -> Optional.of(DaemonSet.of(json));
            case "ControllerRevision" -> Optional.of(ControllerRevision.of(json));
            case "Lease" -> Optional.of(Lease.of(json));
            case "Namespace" -> Optional.of(Namespace.of(json));
            case "Ingress" -> Optional.of(Ingress.of(json));
            case "IngressClass" -> Optional.of(IngressClass.of(json));
            case "ConfigMap" -> Optional.of(ConfigMap.of(json));
            case "Secret" -> Optional.of(Secret.of(json));
            case "PersistentVolume" -> Optional.of(PersistentVolume.of(json));
            case "PersistentVolumeClaim" -> Optional.of(PersistentVolume.Claim.of(json));
            case "StorageClass" -> Optional.of(PersistentVolume.StorageClass.of(json));
            default -> Optional.empty();
        };
    }
}
