package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What pods share with their node when they ask for it, and what survives the agent; with a real agent.
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RuntimeFeaturesIT {
    private NodeLab lab;
    private Process agent;
    private Path place;

    @BeforeAll
    void start(@TempDir Path folder) throws InterruptedException, IOException {
        lab = new NodeLab(folder);
        place = Files.createDirectories(folder.resolve("place"));
        agent = lab.startAgent();
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    /// What a script leaves as its last words in a pod of its own.
    private String words(String name, String script, String container, String more) {
        lab.createPod(
                name,
                "{'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', '(%s) > /dev/termination-log 2>&1']%s}"
                        .formatted(script, container),
                ", 'restartPolicy': 'Never'" + more);
        await().atMost(PATIENCE).until(() -> status(name).path("state").has("terminated"));
        String words = Json.text(status(name), "state", "terminated", "message");
        lab.delete(name, 0);
        return words;
    }

    private JsonNode status(String pod) {
        return lab.json(pod)
                .orElseThrow()
                .path("status")
                .path("containerStatuses")
                .path(0);
    }

    @Test
    void a_pod_has_the_namespaces_of_its_node_that_it_asks_for_and_no_others() throws IOException {
        String script = "readlink /proc/self/ns/pid /proc/self/ns/ipc /proc/self/ns/mnt";
        String pid = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        String ipc = Files.readSymbolicLink(Path.of("/proc/self/ns/ipc")).toString();
        String mounts = Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")).toString();

        assertThat(words("host-pid", script, "", ", 'hostPID': true"))
                .contains(pid)
                .doesNotContain(ipc, mounts);
        assertThat(words("host-ipc", script, "", ", 'hostIPC': true"))
                .contains(ipc)
                .doesNotContain(pid, mounts);
    }

    @Test
    void a_pod_sets_its_own_sysctls_and_none_of_the_nodes() {
        String file = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
        String safe =
                ", 'securityContext': {'sysctls': [{'name': 'net.ipv4.ip_unprivileged_port_start', 'value': '80'}]}";
        assertThat(words("tuned", "cat " + file, "", safe)).isEqualTo("80\n");

        lab.createPod(
                "greedy",
                "{'name': 'main', 'image': 'busybox', 'command': ['true']}",
                ", 'securityContext': {'sysctls': [{'name': 'kernel.msgmax', 'value': '1'}]}");
        await().atMost(PATIENCE).until(() -> status("greedy").toString().contains("kernel.msgmax is not allowed"));
        lab.delete("greedy", 0);
    }

    @Test
    void proc_is_masked_unless_the_container_asks_otherwise() {
        String script = "test -w /proc/sys/kernel/panic && echo open || echo closed";
        assertThat(words("masked", script, "", "")).isEqualTo("closed\n");
        assertThat(words("unmasked", script, ", 'securityContext': {'procMount': 'Unmasked'}", ""))
                .isEqualTo("open\n");
    }

    @Test
    void a_path_of_the_node_is_made_or_refused_by_its_type() throws IOException {
        Files.writeString(place.resolve("file"), "here\n");
        assertThat(words("creates", "touch /host/mine; ls /host", mount(), hostPath("made", "DirectoryOrCreate")))
                .isEqualTo("mine\n");
        assertThat(place.resolve("made/mine")).exists();
        assertThat(words("reads", "cat /host", mount(), hostPath("file", "File")))
                .isEqualTo("here\n");
        refused("missing", hostPath("none", "Directory"), "is not there");
        refused("wrong", hostPath("file", "Directory"), "type check failed");
        refused("socket", hostPath("file", "Socket"), "type check failed");
    }

    private static String mount() {
        return ", 'volumeMounts': [{'name': 'host', 'mountPath': '/host'}]";
    }

    private String hostPath(String name, String type) {
        return ", 'volumes': [{'name': 'host', 'hostPath': {'path': '%s', 'type': '%s'}}]"
                .formatted(place.resolve(name), type);
    }

    private void refused(String pod, String volumes, String why) {
        lab.createPod(pod, "{'name': 'main', 'image': 'busybox', 'command': ['true']%s}".formatted(mount()), volumes);
        await().atMost(PATIENCE).until(() -> status(pod).toString().contains(why));
        lab.delete(pod, 0);
    }

    @Test
    void a_server_is_asked_before_its_container_ends() {
        lab.createPod("asked", """
            {'name': 'main', 'image': 'busybox', 'command': ['perl', '-MIO::Socket::INET', '-e',
             '$SIG{TERM} = sub { exit 3 }; my $s = IO::Socket::INET->new(LocalPort => 8081, Listen => 5, ReuseAddr => 1);
              while (1) { my $c = $s->accept or next; my $line = <$c>; open my $out, q(>), q(/dev/termination-log);
              print $out $line; close $out; my $end = chr(13) . chr(10); print $c qq(HTTP/1.0 200 OK$end$end); close $c }'],
             'livenessProbe': {'exec': {'command': ['test', '-e', '/tmp/never']}, 'initialDelaySeconds': 3,
              'periodSeconds': 1, 'failureThreshold': 1},
             'lifecycle': {'preStop': {'httpGet': {'port': 8081, 'path': '/farewell'}}}}
            """.replace("\n", " "), "");

        await().atMost(PATIENCE)
                .until(() -> Json.text(status("asked"), "lastState", "terminated", "message")
                        .startsWith("GET /farewell"));
        assertThat(Json.number(status("asked"), 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(3);
        lab.delete("asked", 0);
    }

    @Test
    void the_exit_code_of_a_container_is_known_though_its_agent_was_killed() throws InterruptedException {
        lab.createPod("outlives", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', 'until test -e /go/on; do sleep 0.1; done; exit 42'],
             'volumeMounts': [{'name': 'go', 'mountPath': '/go'}]}
            """.replace("\n", " "), """
                , 'restartPolicy': 'Never', 'volumes': [{'name': 'go', 'hostPath': {'path': '%s'}}]\
                """.formatted(place));
        await().atMost(PATIENCE).until(() -> status("outlives").path("state").has("running"));

        agent.destroyForcibly().waitFor();
        try {
            Files.writeString(place.resolve("on"), "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        agent = lab.startAgent();

        await().atMost(PATIENCE)
                .until(() -> Json.number(status("outlives"), 0, "state", "terminated", "exitCode") == 42);
        lab.delete("outlives", 0);
    }
}
