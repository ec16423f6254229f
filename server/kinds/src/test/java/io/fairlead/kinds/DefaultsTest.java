package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.yaml.Yaml;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/// What the server writes into objects where their authors did not say: as the `defaults.go` of Kubernetes v1.36 has
/// it, and what its types always show.
final class DefaultsTest {
    private static final KindTable KINDS = KindTable.of(new Stamp(InstantSource.system(), new Random(1)), true);
    private static final String POD =
            "restartPolicy: Always, dnsPolicy: ClusterFirst, terminationGracePeriodSeconds: 30, schedulerName:"
                    + " default-scheduler, securityContext: {}";

    private record Row(String kind, String given, String filled) {}

    private static final List<Row> ROWS = List.of(
            new Row(
                    "namespaces",
                    "{metadata: {name: a}}",
                    "{metadata: {name: a, labels: {kubernetes.io/metadata.name: a}}}"),
            new Row("secrets", "{}", "{type: Opaque}"),
            new Row("configmaps", "{}", "{}"),
            new Row("serviceaccounts", "{}", "{}"),
            new Row(
                    "endpoints",
                    "{subsets: [{ports: [{port: 80}]}]}",
                    "{subsets: [{ports: [{port: 80, protocol: TCP}]}]}"),
            new Row(
                    "endpointslices.discovery.k8s.io",
                    "{endpoints: [{addresses: [a]}], ports: [{port: 80}]}",
                    "{endpoints: [{addresses: [a], conditions: {}}], ports: [{port: 80, protocol: TCP, name: ''}]}"),
            new Row("endpointslices.discovery.k8s.io", "{}", "{endpoints: null, ports: null}"),
            new Row(
                    "pods",
                    "{spec: {containers: [{name: c, image: 'a:1'}]}}",
                    "{spec: {" + POD
                            + ", enableServiceLinks: true, containers: [{name: c, image: 'a:1', imagePullPolicy:"
                            + " IfNotPresent, terminationMessagePath: /dev/termination-log, terminationMessagePolicy:"
                            + " File, resources: {}}]}}"),
            new Row(
                    "podtemplates",
                    "{template: {spec: {containers: []}}}",
                    "{template: {spec: {containers: [], " + POD + "}}}"),
            new Row(
                    "replicationcontrollers",
                    "{spec: {template: {metadata: {labels: {a: b}}}}}",
                    "{metadata: {labels: {a: b}}, spec: {replicas: 1, selector: {a: b}, template: {metadata: {labels:"
                            + " {a: b}}, spec: {"
                            + POD + "}}}, status: {replicas: 0}}"),
            new Row("replicasets.apps", "{}", "{spec: {replicas: 1}, status: {replicas: 0}}"),
            new Row(
                    "deployments.apps",
                    "{}",
                    "{spec: {replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {type:"
                            + " RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}}}, status: {}}"),
            new Row(
                    "statefulsets.apps",
                    "{}",
                    "{spec: {replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: OrderedReady, updateStrategy:"
                            + " {type: RollingUpdate, rollingUpdate: {partition: 0}},"
                            + " persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}}, status:"
                            + " {replicas: 0, availableReplicas: 0}}"),
            new Row(
                    "daemonsets.apps",
                    "{}",
                    "{spec: {revisionHistoryLimit: 10, updateStrategy: {type: RollingUpdate, rollingUpdate:"
                            + " {maxUnavailable: 1, maxSurge: 0}}}, status: {currentNumberScheduled: 0,"
                            + " desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0}}"),
            new Row("ingresses.networking.k8s.io", "{}", "{spec: {}, status: {loadBalancer: {}}}"),
            new Row(
                    "ingressclasses.networking.k8s.io",
                    "{spec: {parameters: {kind: a}}}",
                    "{spec: {parameters: {kind: a, scope: Cluster}}}"),
            new Row(
                    "networkpolicies.networking.k8s.io",
                    "{spec: {egress: [{ports: [{port: 1}]}]}}",
                    "{spec: {podSelector: {}, egress: [{ports: [{port: 1, protocol: TCP}]}], policyTypes: [Ingress,"
                            + " Egress]}}"),
            new Row("priorityclasses.scheduling.k8s.io", "{}", "{preemptionPolicy: PreemptLowerPriority}"),
            new Row("storageclasses.storage.k8s.io", "{}", "{reclaimPolicy: Delete, volumeBindingMode: Immediate}"),
            new Row(
                    "persistentvolumes",
                    "{}",
                    "{spec: {persistentVolumeReclaimPolicy: Retain, volumeMode: Filesystem}, status: {phase:"
                            + " Pending}}"),
            new Row(
                    "persistentvolumeclaims",
                    "{}",
                    "{spec: {volumeMode: Filesystem, resources: {}}, status: {phase: Pending}}"),
            new Row(
                    "limitranges",
                    "{spec: {limits: [{type: Container, max: {cpu: 2}, min: {memory: 1}}]}}",
                    "{spec: {limits: [{type: Container, max: {cpu: 2}, min: {memory: 1}, default: {cpu: 2},"
                            + " defaultRequest: {cpu: 2, memory: 1}}]}}"),
            new Row("resourcequotas", "{}", "{spec: {}, status: {}}"),
            new Row("leases.coordination.k8s.io", "{}", "{spec: {}}"),
            new Row(
                    "poddisruptionbudgets.policy",
                    "{}",
                    "{spec: {}, status: {disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods:"
                            + " 0}}"),
            new Row("roles.rbac.authorization.k8s.io", "{}", "{rules: null}"),
            new Row("clusterroles.rbac.authorization.k8s.io", "{rules: []}", "{rules: null}"),
            new Row(
                    "rolebindings.rbac.authorization.k8s.io",
                    "{subjects: [{kind: Group}, {kind: ServiceAccount}]}",
                    "{roleRef: {apiGroup: rbac.authorization.k8s.io}, subjects: [{kind: Group, apiGroup:"
                            + " rbac.authorization.k8s.io}, {kind: ServiceAccount}]}"),
            new Row(
                    "events",
                    "{}",
                    "{involvedObject: {}, source: {}, firstTimestamp: null, lastTimestamp: null, eventTime: null,"
                            + " reportingComponent: '', reportingInstance: ''}"),
            new Row(
                    "services",
                    "{spec: {type: ExternalName, externalName: a.b}}",
                    "{spec: {type: ExternalName, externalName: a.b, sessionAffinity: None}, status: {loadBalancer:"
                            + " {}}}"));

    @TestFactory
    Stream<DynamicTest> a_kind_has_the_defaults_of_kubernetes() {
        return ROWS.stream()
                .map(row -> DynamicTest.dynamicTest(row.kind + " " + row.given, () -> {
                    Kind kind = Kind.find(row.kind).orElseThrow();
                    ObjectNode object = yaml(row.given);
                    KINDS.rules(kind).fillDefaults(object);
                    assertThat(object).isEqualTo(yaml(row.filled));
                }));
    }

    @Test
    void filling_a_second_time_changes_nothing() {
        for (Kind kind : Kind.ALL) {
            ObjectNode once = yaml("{metadata: {name: a}}");
            KINDS.rules(kind).fillDefaults(once);
            ObjectNode twice = once.deepCopy();
            KINDS.rules(kind).fillDefaults(twice);
            assertThat(twice).as(kind.name()).isEqualTo(once);
        }
    }

    private static ObjectNode yaml(String text) {
        return (ObjectNode) Yaml.parseAll(text).getFirst();
    }
}
