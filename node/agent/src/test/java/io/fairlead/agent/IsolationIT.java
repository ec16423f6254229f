package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.containers.PodNames;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a pod can do to its node: attacks that once worked, against a real agent.
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IsolationIT {
    private NodeLab lab;
    private Path outside;

    @BeforeAll
    void start(@TempDir Path folder) throws InterruptedException, IOException {
        lab = new NodeLab(folder);
        outside = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(outside.resolve("key"), "the cluster's key");
        lab.startAgent();
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void a_pod_that_says_nothing_has_the_standard_rights_and_sees_no_file_and_no_process_of_the_node() {
        String seen = run("plain", """
            grep -E CapEff:\\|Seccomp: /proc/self/status; ls -d /proc/[0-9]*; cat %s/key; ls %s;
            mount -t tmpfs none /mnt; nsenter -t 1 -m true; unshare -n true; echo b > /proc/sysrq-trigger;
            echo x > /sys/kernel/uevent_seqnum; echo 1 > /proc/sys/kernel/panic; ls /dev/vda /dev/mem\
            """.formatted(outside, lab.state()), "");

        assertThat(seen).contains("CapEff:\t00000000a80425fb", "Seccomp:\t2", "/proc/1\n");
        assertThat(seen)
                .doesNotContain(
                        "the cluster's key",
                        "pods\n",
                        "/proc/%d\n".formatted(ProcessHandle.current().pid()));
        assertThat(seen.lines().filter(line -> line.startsWith("/proc/"))).hasSizeLessThan(6);
        assertThat(seen).contains("Read-only file system", "Operation not permitted");
        assertThat(seen).doesNotContain("\n/dev/vda", "\n/dev/mem");
    }

    @Test
    void a_pod_that_gives_up_its_rights_has_none() {
        String seen = run("humble", "id; grep -E CapEff:\\|CapBnd:\\|NoNewPrivs: /proc/self/status; touch /x", """
            , 'securityContext': {'runAsUser': 65534, 'runAsGroup': 65533, 'runAsNonRoot': true, 'allowPrivilegeEscalation': false,
               'readOnlyRootFilesystem': true, 'capabilities': {'drop': ['ALL']}}\
            """);

        assertThat(seen)
                .contains("uid=65534", "gid=65533")
                .contains("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1")
                .contains("/x", "Read-only file system");
    }

    @Test
    void a_link_in_a_volume_leads_neither_the_agent_nor_another_container_out_of_it() throws IOException {
        lab.createPod("linked", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', 'cat /in/key; echo broken > /in/key'],
             'volumeMounts': [{'name': 'v', 'mountPath': '/in', 'subPath': 'door'}]}\
            """, """
                 , 'volumes': [{'name': 'v', 'emptyDir': {}}], 'initContainers': [{'name': 'setup', 'image': 'busybox',
                    'command': ['ln', '-s', '%s', '/v/door'], 'volumeMounts': [{'name': 'v', 'mountPath': '/v'}]}]\
                 """.formatted(outside));

        await().atMost(PATIENCE).until(() -> status("linked").toString().contains("CreateContainerConfigError"));
        assertThat(status("linked").toString()).contains("subPath door", "leads out of its folder");
        assertThat(outside.resolve("key")).hasContent("the cluster's key");
        lab.delete("linked", 0);
    }

    @Test
    void secrets_are_in_memory_with_their_modes_and_no_container_writes_there() throws IOException {
        lab.send("POST", Kind.SECRET.path("default"), """
            {"metadata": {"name": "mine"}, "data": {"a": "YQ==", "b": "Yg=="}}\
            """);
        Pod pod = lab.createPod("secretive", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c',
               'stat -Lc %a /s/a /s/sub/b; cat /s/a; ln -sf /etc /s/a || echo refused; df /s | tail -1; sleep 1000'],
             'volumeMounts': [{'name': 's', 'mountPath': '/s'}]}\
            """, """
            , 'volumes': [{'name': 's', 'secret': {'secretName': 'mine', 'defaultMode': 256,
               'items': [{'key': 'a', 'path': 'a'}, {'key': 'b', 'path': 'sub/b', 'mode': 292}]}}]\
            """);

        await().atMost(PATIENCE).until(() -> log(pod, "main").contains("tmpfs"));
        assertThat(log(pod, "main")).contains("400", "444", "refused");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(lab.state().resolve("memory"))))
                .isEqualTo("rwx------");
        lab.delete("secretive", 0);
        await().atMost(PATIENCE)
                .until(() -> !Files.exists(lab.state()
                        .resolve("memory")
                        .resolve(PodNames.of(NodeLab.POD_PREFIX, pod).folder())));
    }

    @Test
    void what_cannot_be_honoured_is_refused_by_its_name_and_the_agent_goes_on() {
        lab.createPod("relative", "{'name': 'main', 'image': 'busybox', 'workingDir': 'app', 'command': ['true']}", "");
        lab.createPod(
                "local",
                "{'name': 'main', 'image': 'busybox', 'command': ['true'], 'securityContext': {'seccompProfile':"
                        + " {'type': 'Localhost', 'localhostProfile': 'x.json'}}}",
                "");

        await().atMost(PATIENCE).until(() -> status("relative").toString().contains("workingDir app"));
        await().atMost(PATIENCE).until(() -> status("local").toString().contains("seccompProfile.localhostProfile"));
        lab.delete("relative", 0);
        lab.delete("local", 0);
    }

    @Test
    void a_container_says_its_last_words_and_does_what_it_wants_before_it_ends() {
        lab.createPod("speaking", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c',
               'stop() { cat /tmp/hook > /dev/termination-log; exit 4; }; trap stop TERM; while :; do sleep 0.1; done'],
             'livenessProbe': {'exec': {'command': ['test', '-e', '/tmp/never']}, 'periodSeconds': 1, 'failureThreshold': 1},
             'resources': {'limits': {'cpu': '1', 'memory': '64Mi'}},
             'lifecycle': {'preStop': {'exec': {'command': ['sh', '-c', 'echo farewell > /tmp/hook']}}}}\
            """, "");

        await().atMost(PATIENCE)
                .until(() -> Json.text(container("speaking"), "lastState", "terminated", "message")
                        .equals("farewell\n"));
        assertThat(Json.number(container("speaking"), 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(4);
        assertThat(Json.text(lab.json("speaking").orElseThrow(), "status", "qosClass"))
                .isEqualTo("Guaranteed");
        lab.delete("speaking", 0);
    }

    /// What a script prints in a pod of its own, with what goes wrong.
    private String run(String name, String script, String more) {
        Pod pod = lab.createPod(
                name,
                "{'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', '%s'] %s}"
                        .formatted(script.replace("\n", " ").replace("\\", "\\\\"), more),
                ", 'restartPolicy': 'Never'");
        await().atMost(PATIENCE).until(() -> status(name).toString().contains("terminated"));
        String text = log(pod, "main");
        lab.delete(name, 0);
        return text;
    }

    private String log(Pod pod, String container) {
        Path file = lab.state()
                .resolve("pods")
                .resolve(PodNames.of(NodeLab.POD_PREFIX, pod).folder())
                .resolve("logs")
                .resolve(container + ".0.log");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> line.split(" ", 4)[3] + "\n")
                            .collect(Collectors.joining())
                    : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode status(String pod) {
        return lab.json(pod).orElseThrow().path("status").path("containerStatuses");
    }

    private JsonNode container(String pod) {
        return status(pod).path(0);
    }
}
