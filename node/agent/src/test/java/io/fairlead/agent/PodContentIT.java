package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.containers.PodNames;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What containers find around them, and how they are looked after; with a real agent and a real API server.
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PodContentIT {
    private NodeLab lab;

    @BeforeAll
    void start(@TempDir Path folder) throws InterruptedException {
        lab = new NodeLab(folder);
        lab.startAgent();
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void a_container_finds_its_variables_its_files_and_its_volumes() {
        lab.send("POST", Kind.CONFIG_MAP.path("default"), """
            {"metadata": {"name": "settings"}, "data": {"color": "blue", "size": "9"}}\
            """);
        lab.send("POST", Kind.SERVICE.path("default"), """
            {"metadata": {"name": "my-svc"}, "spec": {"clusterIP": "10.96.0.77", "ports": [{"port": 80}]}}\
            """);
        Pod pod = lab.createPod("full", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c',
              'env; cat /etc/hostname /etc/hosts; cat /data/shared /config/color; cat /etc/inner/size; hostname; ls /var/run/secrets/kubernetes.io/serviceaccount; echo arg=$(WHO); echo oops >&2; echo done; exec sleep 1000'],
             'envFrom': [{'configMapRef': {'name': 'settings'}, 'prefix': 'S_'}],
             'env': [{'name': 'WHO', 'valueFrom': {'fieldRef': {'fieldPath': 'metadata.name'}}},
                     {'name': 'MY_SVC_SERVICE_PORT', 'value': '81'},
                     {'name': 'URL', 'value': 'http://$(MY_SVC_SERVICE_HOST):$(MY_SVC_SERVICE_PORT)/$(WHO)'}],
             'volumeMounts': [{'name': 'shared', 'mountPath': '/data'}, {'name': 'config', 'mountPath': '/config'},
                              {'name': 'config', 'mountPath': '/etc/inner'}]}\
            """, """
            , 'hostname': 'myself',
            'volumes': [{'name': 'shared', 'emptyDir': {}}, {'name': 'config', 'configMap': {'name': 'settings'}}],
            'initContainers': [{'name': 'setup', 'image': 'busybox', 'command': ['sh', '-c', 'echo from-setup > /data/shared'],
              'volumeMounts': [{'name': 'shared', 'mountPath': '/data'}]}]\
            """);
        lab.awaitReady("full");

        await().atMost(PATIENCE).until(() -> log(pod, "main").contains("stdout F done"));
        assertThat(log(pod, "main"))
                .contains(
                        "stdout F S_color=blue",
                        "stdout F URL=http://10.96.0.77:81/full",
                        "stdout F HOSTNAME=myself",
                        "stdout F myself",
                        "stdout F from-setup",
                        "stdout F namespace",
                        "stdout F arg=full",
                        "stderr F oops")
                .anyMatch(line -> line.matches("stdout F 10\\.244\\.1\\.\\d+\tmyself"))
                .anyMatch(line -> line.endsWith("blue9myself"));
        JsonNode status = lab.json("full").orElseThrow().path("status");
        assertThat(Json.text(status.path("initContainerStatuses").path(0), "state", "terminated", "reason"))
                .isEqualTo("Completed");
    }

    @Test
    void a_container_that_fails_its_liveness_probe_is_started_again() {
        lab.createPod("sick", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', 'touch /tmp/well; sleep 1; rm /tmp/well; stop() { exit 143; }; trap stop TERM; while :; do sleep 0.1; done'],
             'livenessProbe': {'exec': {'command': ['test', '-e', '/tmp/well']}, 'periodSeconds': 1, 'failureThreshold': 1}}\
            """, "");

        await().atMost(PATIENCE).until(() -> restarts("sick") >= 1);
        assertThat(Json.number(container("sick"), 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(143);
        lab.delete("sick", 0);
    }

    @Test
    void a_pod_on_the_nodes_network_has_the_nodes_addresses() {
        Pod pod = lab.createPod(
                "host",
                "{'name': 'echo', 'image': 'fairlead/echo', 'ports': [{'containerPort': 8085}], 'readinessProbe':"
                        + " {'httpGet': {'port': 8085}}}",
                ", 'hostNetwork': true");
        Pod ready = lab.awaitReady("host");

        assertThat(ready.status().podIps().getFirst()).hasToString("172.31.0.1");
        await().atMost(PATIENCE).until(() -> log(pod, "echo").contains("stdout F listening on 8085/TCP"));
        lab.delete("host", 1);
        lab.awaitGone("host");
    }

    @Test
    void what_cannot_be_is_said_with_the_reason() {
        lab.createPod("nowhere", "{'name': 'main', 'image': 'busybox', 'command': ['no-such-program']}", "");
        lab.createPod(
                "lacking",
                "{'name': 'main', 'image': 'busybox', 'env': [{'name': 'A', 'valueFrom': {'configMapKeyRef': {'name':"
                        + " 'nobody', 'key': 'k'}}}]}",
                "");

        await().atMost(PATIENCE)
                .until(() -> container("nowhere").toString().contains("StartError")
                        && container("nowhere").toString().contains("CrashLoopBackOff"));
        await().atMost(PATIENCE)
                .until(() -> container("lacking").toString().contains("CreateContainerConfigError")
                        && container("lacking").toString().contains("configmap \\\"nobody\\\" not found"));
        lab.delete("nowhere", 0);
        lab.delete("lacking", 0);
    }

    @Test
    void a_folder_can_be_the_root_of_an_image_and_a_pod_that_ended_says_how() throws IOException {
        Path root = lab.state().resolveSibling("image-root");
        Files.createDirectories(root.resolve("tmp"));
        copyWithLibraries(root, "/bin/sh");
        Files.writeString(
                lab.imageTable(), "images: [{pattern: test/rooted, root: '%s', command: [/bin/sh]}]".formatted(root));

        Pod pod = lab.createPod(
                "rooted",
                "{'name': 'main', 'image': 'test/rooted', 'args': ['-c', 'echo /*; exit 3']}",
                ", 'restartPolicy': 'Never'");

        await().atMost(PATIENCE)
                .until(() -> Json.number(container("rooted"), 0, "state", "terminated", "exitCode") == 3);
        assertThat(lab.find("rooted").orElseThrow().status().phase()).isEqualTo("Failed");
        assertThat(log(pod, "main")).anyMatch(line -> line.contains("/tmp") && !line.contains("/usr"));
    }

    @Test
    void an_ephemeral_container_looks_into_a_running_pod_and_sidecars_end_last() {
        Path order = lab.state().resolveSibling("order");
        String sidecar = "{'name': '%1$s', %2$s, 'restartPolicy': 'Always'}";
        Pod pod = lab.createPod("served", "{'name': 'main', %s}".formatted(noting("main", "sleep 0.5;")), """
            , 'initContainers': [%s, %s], 'volumes': [{'name': 'out', 'hostPath': {'path': '%s'}}]\
            """.formatted(
                        sidecar.formatted("one", noting("one", "")),
                        sidecar.formatted("two", noting("two", "")),
                        lab.state().getParent()));
        lab.awaitReady("served");

        addEphemeral("served", "{'name': 'debug', 'image': 'busybox', 'command': ['sh', '-c', 'hostname -I; exit 3']}");
        await().atMost(PATIENCE).until(() -> Json.number(debug("served"), 0, "state", "terminated", "exitCode") == 3);
        assertThat(log(pod, "debug"))
                .anyMatch(line -> line.contains(lab.find("served")
                        .orElseThrow()
                        .status()
                        .podIps()
                        .getFirst()
                        .toString()));

        lab.delete("served", 20);
        lab.awaitGone("served");
        assertThat(order).hasContent("main\ntwo\none");
    }

    /// A program that writes its name into the file `order` when it is asked to end.
    private static String noting(String name, String first) {
        return """
            'image': 'busybox', 'volumeMounts': [{'name': 'out', 'mountPath': '/out'}],
            'command': ['sh', '-c', 'stop() { %s echo %s >> /out/order; exit; }; trap stop TERM; while :; do sleep 0.1; done']\
            """.formatted(first, name);
    }

    private void addEphemeral(String pod, String container) {
        String path = Kind.POD.path(new NamespacedName("default", pod)) + "/ephemeralcontainers";
        ObjectNode whole = (ObjectNode) lab.json(pod).orElseThrow();
        whole.withObject("spec").putArray("ephemeralContainers").add(Json.parse(container.replace('\'', '"')));
        assertThat(lab.send("PUT", path, Json.pretty(whole))).isPresent();
    }

    private JsonNode debug(String pod) {
        JsonNode statuses = lab.json(pod).orElseThrow().path("status").path("ephemeralContainerStatuses");
        assertThat(Json.number(statuses.path(0), 0, "restartCount")).isZero();
        return statuses.path(0);
    }

    private static void copyWithLibraries(Path root, String program) throws IOException {
        List<String> files = new java.util.ArrayList<>(List.of(program));
        String listed =
                io.fairlead.kernel.Command.run(List.of("ldd", program), "").output();
        Stream.of(listed.split("\\s+", -1)).filter(word -> word.startsWith("/")).forEach(files::add);
        for (String file : files) {
            Path target = root.resolve(file.substring(1));
            Files.createDirectories(target.getParent());
            Files.copy(Path.of(file).toRealPath(), target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private List<String> log(Pod pod, String container) {
        Path file = lab.state()
                .resolve("pods")
                .resolve(PodNames.of(NodeLab.POD_PREFIX, pod).folder())
                .resolve("logs")
                .resolve(container + ".0.log");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> line.substring(31))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private JsonNode container(String pod) {
        return lab.json(pod)
                .orElseThrow()
                .path("status")
                .path("containerStatuses")
                .path(0);
    }

    private int restarts(String pod) {
        return Json.number(container(pod), 0, "restartCount");
    }
}
