package io.fairlead.conformance;

import static io.fairlead.conformance.LetterServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The kinds beside Services that clients list and their tests need, and what the server does with them.
final class LetterKindsIT {
    private static LetterServer letter;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        letter = LetterServer.start(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        if (letter != null) {
            letter.close();
        }
    }

    @Test
    void quotas_and_limits_are_held() throws Exception {
        letter.run("create", "namespace", "small").ok();
        letter.with("create", """
            apiVersion: v1
            kind: LimitRange
            metadata: {name: l, namespace: small}
            spec: {limits: [{type: Container, max: {cpu: "1"}, default: {memory: 64Mi}}]}
            ---
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: q, namespace: small}
            spec: {hard: {pods: "1"}}
            """);
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: small}, spec: {containers: [{name: a,"
                + " image: a%s}]}}";
        assertThat(letter.with("create", pod.formatted("greedy", ", resources: {limits: {cpu: '2'}}")))
                .contains("forbidden", "maximum cpu usage per Container is 1, but limit is 2");
        assertThat(letter.with("create", pod.formatted("first", ""))).contains("pod/first created");
        assertThat(letter.run(
                                "-n",
                                "small",
                                "get",
                                "pod",
                                "first",
                                "-o",
                                "jsonpath={.spec.containers[0].resources.limits}")
                        .ok())
                .contains("\"cpu\":\"1\"", "\"memory\":\"64Mi\"");
        assertThat(letter.with("create", pod.formatted("second", "")))
                .contains("forbidden", "exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1");
        assertThat(letter.run("-n", "small", "describe", "quota", "q").ok()).containsPattern("pods +1 +1");
    }

    @Test
    void a_replication_controller_keeps_its_pods_and_scales() throws Exception {
        letter.with("create", """
            apiVersion: v1
            kind: ReplicationController
            metadata: {name: rc}
            spec:
              replicas: 2
              selector: {app: rc}
              template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: a, image: a}]}}
            """);
        soon(() -> assertThat(letter.run("get", "pods", "-l", "app=rc", "-o", "name")
                        .ok()
                        .lines())
                .hasSize(2));
        letter.run("scale", "rc", "rc", "--replicas=3").ok();
        soon(() -> assertThat(letter.run("get", "pods", "-l", "app=rc", "-o", "name")
                        .ok()
                        .lines())
                .hasSize(3));
        soon(() -> assertThat(letter.field("rc", "rc", ".status.replicas")).isEqualTo("3"));
        letter.run("delete", "rc", "rc").ok();
        soon(() -> assertThat(
                        letter.run("get", "pods", "-l", "app=rc", "-o", "name").ok())
                .isEmpty());
    }

    @Test
    void the_other_kinds_are_there() throws Exception {
        assertThat(letter.with("create", """
            apiVersion: networking.k8s.io/v1
            kind: NetworkPolicy
            metadata: {name: np}
            spec: {podSelector: {}}
            """)).contains("Warning:", "networkpolicy.networking.k8s.io/np created");
        letter.with("create", """
            apiVersion: v1
            kind: PodTemplate
            metadata: {name: pt}
            template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
            ---
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: high}
            value: 1000
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: important}
            spec: {priorityClassName: high, containers: [{name: a, image: a}]}
            """);
        assertThat(letter.field("podtemplate", "pt", ".template.spec.restartPolicy"))
                .isEqualTo("Always");
        assertThat(letter.field("pod", "important", ".spec.priority")).isEqualTo("1000");
        assertThat(letter.run("get", "storageclass").ok())
                .containsPattern("local \\(default\\) +fairlead.io/local +Delete +WaitForFirstConsumer");
        assertThat(letter.raw().get("/apis").body()).doesNotContain("admissionregistration.k8s.io");
    }

    /// A claim that no pod needs waits, and has the class and the marks that Kubernetes gives it.
    @Test
    void a_claim_waits_for_its_first_pod() throws Exception {
        letter.with("create", """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """);
        assertThat(letter.field("pvc", "data", ".metadata.finalizers")).isEqualTo("[\"kubernetes.io/pvc-protection\"]");
        assertThat(letter.field("pvc", "data", ".spec.storageClassName")).isEqualTo("local");
        assertThat(letter.field("pvc", "data", ".status.phase")).isEqualTo("Pending");
        letter.run("delete", "pvc", "data").ok();
    }
}
