package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The rules for what keeps pods, and for the pods themselves.
final class WorkloadValidationTest {
    private static final String REST =
            "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c,"
                    + " image: x}]}}";

    private static JsonNode yaml(String text) {
        return Yaml.parseAll(text).getFirst();
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    private static Kind kind(String name) {
        return Kind.find("apps/v1", name).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Deployment|strategy: {type: Slowly}|spec.strategy.type: Unsupported value: \"Slowly\"",
                "Deployment|strategy: {type: Recreate, rollingUpdate: {}}|spec.strategy.rollingUpdate: Forbidden: may"
                        + " not be specified when strategy `type` is 'Recreate'",
                "Deployment|strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge:"
                        + " 0%}}|spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when"
                        + " `maxSurge` is 0",
                "Deployment|strategy: {rollingUpdate: {maxSurge: many}}|maxSurge: Invalid value: \"many\": must be an"
                        + " integer or percentage",
                "Deployment|strategy: {rollingUpdate: {maxUnavailable: 101%}}|must not be greater than 100%",
                "Deployment|strategy: {rollingUpdate: {maxSurge: -1}}|must be greater than or equal to 0",
                "Deployment|minReadySeconds: 60, progressDeadlineSeconds: 60|must be greater than minReadySeconds",
                "Deployment|revisionHistoryLimit: -1|spec.revisionHistoryLimit: Invalid value: -1",
                "ReplicaSet|replicas: -1|spec.replicas: Invalid value: -1: must be greater than or equal to 0",
                "StatefulSet|podManagementPolicy: Wild|spec.podManagementPolicy: Unsupported value",
                "StatefulSet|updateStrategy: {type: OnDelete, rollingUpdate: {}}|spec.updateStrategy.rollingUpdate:"
                        + " Forbidden",
                "StatefulSet|updateStrategy: {rollingUpdate: {partition:"
                        + " -1}}|spec.updateStrategy.rollingUpdate.partition: Invalid value",
                "DaemonSet|updateStrategy: {type: Recreate}|spec.updateStrategy.type: Unsupported value",
            })
    void a_broken_rule_is_named(String kind, String fields, String problem) {
        JsonNode workload = yaml("{spec: {" + fields + ", " + REST + "}}");
        assertThat(texts(WorkloadValidation.check(kind(kind), workload)))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void the_pods_of_a_workload_are_kept_running() {
        JsonNode workload = yaml("{spec: {" + REST.replace("containers:", "restartPolicy: Never, containers:") + "}}");
        assertThat(texts(WorkloadValidation.check(Kind.DEPLOYMENT, workload)))
                .containsExactly("spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values:"
                        + " \"Always\"");
    }

    @Test
    void a_selector_stays_and_little_else_of_a_stateful_set_changes() {
        JsonNode old = yaml("{spec: {serviceName: a, replicas: 1, selector: {matchLabels: {a: b}}}}");
        JsonNode scaled = yaml("{spec: {serviceName: a, replicas: 2, selector: {matchLabels: {a: b}}}}");
        JsonNode moved = yaml("{spec: {serviceName: b, replicas: 1, selector: {matchLabels: {a: b}}}}");
        JsonNode other = yaml("{spec: {selector: {matchLabels: {a: c}}}}");
        assertThat(WorkloadValidation.checkUpdate(Kind.STATEFUL_SET, old, scaled))
                .isEmpty();
        assertThat(texts(WorkloadValidation.checkUpdate(Kind.STATEFUL_SET, old, moved)))
                .singleElement()
                .asString()
                .startsWith("spec: Forbidden: updates to statefulset spec for fields other than 'replicas', ");
        assertThat(texts(WorkloadValidation.checkUpdate(Kind.DAEMON_SET, old, other)))
                .containsExactly("spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"c\"}}: field is immutable");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{containers: [{name: c, image: x, readinessProbe: {}}]}|spec.containers[0].readinessProbe: Required"
                        + " value: must specify a handler type",
                "{containers: [{name: c, image: x, livenessProbe: {exec: {command: [a]}, tcpSocket: {port:"
                        + " 80}}}]}|spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1"
                        + " handler type",
                "{containers: [{name: c, image: x, livenessProbe: {successThreshold: 2, tcpSocket: {port:"
                        + " 80}}}]}|spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1",
                "{containers: [{name: c, image: x, readinessProbe: {periodSeconds: -1, httpGet: {port:"
                        + " web}}}]}|spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1",
                "{containers: [{name: c, image: x, readinessProbe: {httpGet: {port:"
                        + " 0}}}]}|spec.containers[0].readinessProbe.httpGet.port: Invalid value: 0",
                "{containers: [{name: c, image: x, readinessProbe: {exec:"
                        + " {}}}]}|spec.containers[0].readinessProbe.exec.command: Required value",
                "{containers: [{name: c, image: x}], initContainers: [{name: i, image: x, readinessProbe: {tcpSocket:"
                        + " {port: 80}}}]}|spec.initContainers[0].readinessProbe: Forbidden: may not be set for init"
                        + " containers without restartPolicy=Always",
                "{containers: [{name: c, image: x}], initContainers: [{name: c, image:"
                        + " x}]}|spec.initContainers[0].name: Duplicate value: \"c\"",
                "{containers: [{name: c, image: x}], initContainers: [{name: i, image: x, restartPolicy:"
                        + " Sometimes}]}|spec.initContainers[0].restartPolicy: Unsupported value",
                "{hostNetwork: true, containers: [{name: c, image: x, ports: [{containerPort: 80, hostPort:"
                        + " 81}]}]}|must match `hostPort` when `hostNetwork` is true",
                "{containers: [{name: c, image: x, ports: [{containerPort: 80, hostPort: 81}, {containerPort: 82,"
                        + " hostPort: 81}]}]}|spec.containers[0].ports[1].hostPort: Duplicate value",
                "{containers: [{name: c, image: x}], dnsPolicy: Guess}|spec.dnsPolicy: Unsupported value",
            })
    void a_pod_has_rules(String spec, String problem) {
        assertThat(texts(PodValidation.check(yaml("{spec: " + spec + "}"))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void a_sidecar_may_be_asked_whether_it_is_ready() {
        assertThat(PodValidation.check(
                        yaml("{spec: {containers: [{name: c, image: x}], initContainers: [{name: i, image:"
                                + " x, restartPolicy: Always, readinessProbe: {tcpSocket: {port:"
                                + " 80}}}]}}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true|{containers: [{name: c, image: b}], tolerations: [{key: x}]}",
                "true|{containers: [{name: c, image: a}], tolerations: [{key: x}, {key: y}], nodeName: n}",
                "true|{containers: [{name: c, image: a}], tolerations: [{key: x}], activeDeadlineSeconds: 5}",
                "false|{containers: [{name: c, image: a}], tolerations: [{key: y}]}",
                "false|{containers: [{name: c, image: a, command: [ls]}], tolerations: [{key: x}]}",
                "false|{containers: [{name: c, image: a}, {name: d, image: x}], tolerations: [{key: x}]}",
            })
    void hardly_anything_of_a_pod_changes(boolean allowed, String spec) {
        JsonNode old = yaml("{spec: {containers: [{name: c, image: a}], tolerations: [{key: x}]}}");
        List<Problem> problems = PodValidation.checkUpdate(old, yaml("{spec: " + spec + "}"));
        assertThat(problems.isEmpty()).isEqualTo(allowed);
    }
}
