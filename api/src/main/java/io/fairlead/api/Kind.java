package io.fairlead.api;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One row of the table of kinds: how a kind is named, and where it lives.
///
/// The table drives the API server, the clients and the command line alike: a new kind is one row.
public record Kind(
        String group, String version, String name, String plural, boolean namespaced, List<String> shortNames) {

    private static final String NETWORKING = "networking.k8s.io";
    private static final String RBAC = "rbac.authorization.k8s.io";

    public static final Kind NAMESPACE = cluster("", "v1", "Namespace", "namespaces", "ns");
    public static final Kind NODE = cluster("", "v1", "Node", "nodes", "no");
    public static final Kind POD = namespaced("", "v1", "Pod", "pods", "po");
    public static final Kind SERVICE = namespaced("", "v1", "Service", "services", "svc");
    public static final Kind ENDPOINTS = namespaced("", "v1", "Endpoints", "endpoints", "ep");
    public static final Kind EVENT = namespaced("", "v1", "Event", "events", "ev");
    public static final Kind CONFIG_MAP = namespaced("", "v1", "ConfigMap", "configmaps", "cm");
    public static final Kind SECRET = namespaced("", "v1", "Secret", "secrets");
    public static final Kind SERVICE_ACCOUNT = namespaced("", "v1", "ServiceAccount", "serviceaccounts", "sa");
    public static final Kind ENDPOINT_SLICE = namespaced("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices");
    public static final Kind INGRESS = namespaced(NETWORKING, "v1", "Ingress", "ingresses", "ing");
    public static final Kind INGRESS_CLASS = cluster(NETWORKING, "v1", "IngressClass", "ingressclasses");
    public static final Kind SERVICE_CIDR = cluster(NETWORKING, "v1", "ServiceCIDR", "servicecidrs");
    public static final Kind IP_ADDRESS = cluster(NETWORKING, "v1", "IPAddress", "ipaddresses", "ip");
    public static final Kind DEPLOYMENT = namespaced("apps", "v1", "Deployment", "deployments", "deploy");
    public static final Kind REPLICA_SET = namespaced("apps", "v1", "ReplicaSet", "replicasets", "rs");
    public static final Kind STATEFUL_SET = namespaced("apps", "v1", "StatefulSet", "statefulsets", "sts");
    public static final Kind DAEMON_SET = namespaced("apps", "v1", "DaemonSet", "daemonsets", "ds");
    public static final Kind CONTROLLER_REVISION =
            namespaced("apps", "v1", "ControllerRevision", "controllerrevisions");
    public static final Kind LEASE = namespaced("coordination.k8s.io", "v1", "Lease", "leases");
    public static final Kind POD_DISRUPTION_BUDGET =
            namespaced("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb");
    public static final Kind POD_TEMPLATE = namespaced("", "v1", "PodTemplate", "podtemplates");
    public static final Kind REPLICATION_CONTROLLER =
            namespaced("", "v1", "ReplicationController", "replicationcontrollers", "rc");
    public static final Kind LIMIT_RANGE = namespaced("", "v1", "LimitRange", "limitranges", "limits");
    public static final Kind RESOURCE_QUOTA = namespaced("", "v1", "ResourceQuota", "resourcequotas", "quota");
    public static final Kind PERSISTENT_VOLUME = cluster("", "v1", "PersistentVolume", "persistentvolumes", "pv");
    public static final Kind PERSISTENT_VOLUME_CLAIM =
            namespaced("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc");
    public static final Kind NETWORK_POLICY =
            namespaced(NETWORKING, "v1", "NetworkPolicy", "networkpolicies", "netpol");
    public static final Kind STORAGE_CLASS = cluster("storage.k8s.io", "v1", "StorageClass", "storageclasses", "sc");
    public static final Kind PRIORITY_CLASS =
            cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "pc");
    public static final Kind ROLE = namespaced(RBAC, "v1", "Role", "roles");
    public static final Kind CLUSTER_ROLE = cluster(RBAC, "v1", "ClusterRole", "clusterroles");
    public static final Kind ROLE_BINDING = namespaced(RBAC, "v1", "RoleBinding", "rolebindings");
    public static final Kind CLUSTER_ROLE_BINDING = cluster(RBAC, "v1", "ClusterRoleBinding", "clusterrolebindings");

    public static final List<Kind> ALL = List.of(
            NAMESPACE,
            NODE,
            POD,
            SERVICE,
            ENDPOINTS,
            EVENT,
            CONFIG_MAP,
            SECRET,
            SERVICE_ACCOUNT,
            ENDPOINT_SLICE,
            INGRESS,
            INGRESS_CLASS,
            SERVICE_CIDR,
            IP_ADDRESS,
            DEPLOYMENT,
            REPLICA_SET,
            STATEFUL_SET,
            DAEMON_SET,
            CONTROLLER_REVISION,
            LEASE,
            POD_DISRUPTION_BUDGET,
            POD_TEMPLATE,
            REPLICATION_CONTROLLER,
            LIMIT_RANGE,
            RESOURCE_QUOTA,
            PERSISTENT_VOLUME,
            PERSISTENT_VOLUME_CLAIM,
            NETWORK_POLICY,
            STORAGE_CLASS,
            PRIORITY_CLASS,
            ROLE,
            CLUSTER_ROLE,
            ROLE_BINDING,
            CLUSTER_ROLE_BINDING);

    public Kind {
        shortNames = List.copyOf(shortNames);
    }

    /// Of what tells kinds apart: a request asks for it at every step.
    @Override
    public int hashCode() {
        return 31 * group.hashCode() + name.hashCode();
    }

    private static Kind cluster(String group, String version, String name, String plural, String... shortNames) {
        return new Kind(group, version, name, plural, false, List.of(shortNames));
    }

    private static Kind namespaced(String group, String version, String name, String plural, String... shortNames) {
        return new Kind(group, version, name, plural, true, List.of(shortNames));
    }

    /// The kind that an object says it is.
    public static Optional<Kind> find(String apiVersion, String name) {
        return ALL.stream()
                .filter(kind -> kind.apiVersion().equals(apiVersion) && kind.name.equals(name))
                .findFirst();
    }

    /// The kind that a person means by a word: `services`, `service`, `svc`, `Service`, `deployments.apps`.
    public static Optional<Kind> find(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(kind -> kind.plural.equals(wanted)
                        || kind.singular().equals(wanted)
                        || kind.qualified().equals(wanted)
                        || kind.shortNames.contains(wanted))
                .findFirst();
    }

    public String singular() {
        return name.toLowerCase(Locale.ROOT);
    }

    /// `v1`, or `apps/v1`.
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// `services`, or `deployments.apps`: as messages name a kind.
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /// The path of the collection, of all namespaces where `namespace` is empty.
    public String path(String namespace) {
        String root = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return namespace.isEmpty() ? root + "/" + plural : root + "/namespaces/" + namespace + "/" + plural;
    }

    /// The path of one object.
    public String path(NamespacedName object) {
        return path(object.namespace()) + "/" + object.name();
    }

    @Override
    public String toString() {
        return name;
    }
}
