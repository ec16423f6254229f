package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// `describe` prints what kubectl prints, of the very same object.
final class DescribeTest {
    private static final String WEB = """
        apiVersion: v1
        kind: Service
        metadata: {name: web, labels: {app: web, tier: front}, annotations: {owner: ada, long: "one\\ntwo"}}
        spec:
          type: NodePort
          selector: {app: web}
          ports:
          - {name: http, port: 80, targetPort: 8080, nodePort: 31080}
          - {name: metrics, port: 90, targetPort: metrics, nodePort: 31090}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{name: http, port: 8080}]
        endpoints:
        - {addresses: [10.0.0.1]}
        - {addresses: [10.0.0.2], conditions: {ready: false}}
        - {addresses: [10.0.0.3]}
        - {addresses: [10.0.0.4]}
        - {addresses: [10.0.0.5]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: plain}
        spec: {ports: [{port: 80}]}
        """;
    private static final String PODS = """
        apiVersion: v1
        kind: Pod
        metadata: {name: web, labels: {app: web}}
        spec:
          initContainers: [{name: first, image: busybox, command: [sh, -c, "a\\nb"]}]
          nodeSelector: {zone: a}
          tolerations: [{key: dedicated, value: web, effect: NoSchedule}]
          containers:
          - name: web
            image: nginx
            args: [-v]
            ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]
            env: [{name: A, value: b}, {name: S, valueFrom: {secretKeyRef: {name: s, key: k}}}]
            resources: {limits: {cpu: 100m, memory: 64Mi}}
            readinessProbe: {httpGet: {path: /ready, port: 80}}
            livenessProbe: {exec: {command: [cat, /x]}}
            volumeMounts: [{name: data, mountPath: /data}, {name: conf, mountPath: /conf, readOnly: true}]
          volumes:
          - {name: data, emptyDir: {}}
          - {name: conf, configMap: {name: motd}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: small}
        spec: {containers: [{name: small, image: nginx}]}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, labels: {app: web}, annotations: {deployment.kubernetes.io/revision: "1"}}
        spec:
          replicas: 2
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}, annotations: {a: b}}
            spec:
              containers: [{name: web, image: nginx, volumeMounts: [{name: data, mountPath: /data}]}]
              volumes: [{name: data, emptyDir: {}}]
        """;

    @TempDir
    Path dir;

    private TwoClients clients;

    @BeforeEach
    void start() throws InterruptedException {
        clients = new TwoClients(dir);
    }

    @AfterEach
    void stop() {
        clients.close();
    }

    @Test
    void services() throws Exception {
        apply(WEB);
        assertThat(same("svc", "web"))
                .contains(
                        "TargetPort:               8080/TCP", "10.0.0.1:8080,10.0.0.3:8080,10.0.0.4:8080 + 1 more...");
        same("svc", "plain");
        same("services", "-l", "tier=front");
        same("svc", "absent");
        same("svc/web", "svc/plain");
    }

    @Test
    void pods_and_deployments() throws Exception {
        apply(PODS);
        same("pod", "small");
        ObjectNode status = (ObjectNode) Yaml.parseAll("""
            status:
              phase: Running
              startTime: "2026-01-02T03:04:05Z"
              podIP: 10.0.0.9
              podIPs: [{ip: 10.0.0.9}]
              conditions: [{type: Ready, status: "True"}]
              containerStatuses:
              - name: web
                image: nginx
                imageID: nginx@sha256:1
                containerID: runc://1
                ready: true
                restartCount: 2
                state: {running: {startedAt: "2026-01-02T03:04:06Z"}}
                lastState: {terminated: {exitCode: 1, reason: Error, startedAt: "2026-01-02T03:04:06Z",
                  finishedAt: "2026-01-02T03:04:07Z"}}
            """).getFirst();
        clients.client().patchStatus(Kind.POD, new NamespacedName(TwoClients.OURS, "web"), status);
        assertThat(same("pod", "web")).contains("Restart Count:  2", "http-get http://:80/ready");
        same("deployment", "web");
        replicaSet();
        assertThat(same("deployment", "web")).contains("web-1 (0/2 replicas created)");
    }

    /// What the controller makes of the Deployment.
    private void replicaSet() throws InterruptedException {
        ObjectNode deployment = clients.client().get(Kind.DEPLOYMENT, new NamespacedName(TwoClients.OURS, "web"));
        ObjectNode set = Json.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode metadata = set.putObject("metadata").put("name", "web-1").put("namespace", TwoClients.OURS);
        metadata.putObject("labels").put("app", "web");
        metadata.putObject("annotations").put("deployment.kubernetes.io/revision", "1");
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "apps/v1")
                .put("kind", "Deployment")
                .put("name", "web")
                .put("uid", Json.text(deployment, "metadata", "uid"))
                .put("controller", true);
        set.set("spec", deployment.path("spec").deepCopy());
        set.withObject("spec").remove(List.of("strategy", "progressDeadlineSeconds", "revisionHistoryLimit"));
        clients.client().create(Kind.REPLICA_SET, set);
    }

    @Test
    void events_come_last() throws Exception {
        apply(WEB);
        NamespacedName key = new NamespacedName(TwoClients.OURS, "web");
        ObjectNode event = (ObjectNode) Yaml.parseAll("""
            apiVersion: v1
            kind: Event
            metadata: {name: web.1, namespace: ours}
            type: Warning
            reason: Tested
            message: it was
            count: 3
            source: {component: tester}
            firstTimestamp: "2020-01-02T03:04:05Z"
            lastTimestamp: "2021-01-02T03:04:05Z"
            """).getFirst();
        event.putObject("involvedObject")
                .put("kind", "Service")
                .put("name", "web")
                .put("namespace", TwoClients.OURS)
                .put("uid", Json.text(clients.client().get(Kind.SERVICE, key), "metadata", "uid"));
        clients.client().create(Kind.EVENT, event);
        assertThat(same("svc", "web")).contains("Warning  Tested", "(x3 over");
    }

    @Test
    void config_maps() throws Exception {
        apply("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: motd, annotations: {a: b}}
            data: {one: hello}
            binaryData: {two: AAEC}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: several}
            data: {lines: "a\\tb\\n100%\\n"}
            """);
        assertThat(same("cm", "motd")).contains("two: 3 bytes");
        same("cm", "several");
    }

    @Test
    void any_other_kind_is_described_by_its_fields() throws Exception {
        apply("""
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: one}
            spec: {holderIdentity: ada, leaseDurationSeconds: 5}
            """);
        assertThat(same("lease", "one")).contains("Holder Identity:", "Lease Duration Seconds:  5");
    }

    private void apply(String manifests) throws Exception {
        Path file = Files.writeString(dir.resolve("all.yaml"), manifests);
        assertThat(clients.fairlead("create", "-n", TwoClients.OURS, "-f", file.toString())
                        .err())
                .isEmpty();
    }

    private String same(String... words) throws Exception {
        String[] args = Stream.concat(Stream.of("describe", "-n", TwoClients.OURS), List.of(words).stream())
                .toArray(String[]::new);
        var ours = clients.fairlead(args);
        assertThat(ours).isEqualTo(clients.kubectl(args));
        return ours.out();
    }
}
