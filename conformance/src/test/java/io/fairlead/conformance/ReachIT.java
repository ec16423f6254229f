package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Clients from outside this project reach into pods that run: kubectl by SPDY or WebSocket, as its version has it, and
/// fabric8 by WebSocket.
final class ReachIT {
    private static UpRun up;
    private static Kubectl kubectl;
    private static KubernetesClient fabric8;
    private static String pod;

    @BeforeAll
    static void start() throws Exception {
        up = UpRun.start("flreach");
        kubectl = Kubectl.at(up.kubeconfig());
        fabric8 = up.client();
        pod = kubectl.run("get", "pods", "-l", "app=hello", "-o", "jsonpath={.items[0].metadata.name}")
                .ok();
    }

    @AfterAll
    static void stop() throws Exception {
        if (fabric8 != null) {
            fabric8.close();
        }
        if (up != null) {
            up.close();
        }
    }

    private static void soon(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(condition);
    }

    /// kubectl with something to read; its exit code and what it printed.
    private static Kubectl.Result typed(String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("kubectl", "--kubeconfig", up.kubeconfig().toString()));
        command.addAll(List.of(arguments));
        return typed(input, command);
    }

    private static Kubectl.Result typed(String input, List<String> command) throws Exception {
        Path typed = Files.writeString(Files.createTempFile("typed", ""), input);
        Path printed = Files.createTempFile("printed", "");
        Process process = new ProcessBuilder(command)
                .redirectInput(typed.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
            return new Kubectl.Result(process.exitValue(), Files.readString(printed));
        } finally {
            process.destroyForcibly();
            Files.delete(typed);
            Files.delete(printed);
        }
    }

    @Test
    void exec_has_both_outputs_the_input_and_the_exit_code() throws Exception {
        Kubectl.Result result =
                typed("typed\n", "exec", "-i", pod, "--", "sh", "-c", "read x; echo got $x; echo wrong >&2; exit 3");

        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.output()).contains("got typed", "wrong", "command terminated with exit code 3");
        assertThat(kubectl.run("exec", pod, "--", "hostname").ok()).isEqualTo(pod + "\n");
        assertThat(kubectl.run("exec", pod, "--", "no-such-command").exit()).isEqualTo(127);
    }

    @Test
    void exec_in_a_pseudo_terminal_is_a_terminal_of_the_same_size() throws Exception {
        String kubectlLine =
                "stty rows 31 cols 91; kubectl --kubeconfig %s exec -it %s -- sh -c 'tty; sleep 1; stty size'"
                        .formatted(up.kubeconfig(), pod);

        Kubectl.Result result = typed("", List.of("script", "-qec", kubectlLine, "/dev/null"));

        assertThat(result.output()).contains("/dev/pts/", "31 91");
        assertThat(result.exit()).isZero();
    }

    @Test
    void much_output_comes_whole_and_in_order() throws Exception {
        String lines = kubectl.run("exec", pod, "--", "seq", "1", "200000").ok();

        assertThat(lines.lines().count()).isEqualTo(200_000);
        assertThat(lines).startsWith("1\n2\n").endsWith("199999\n200000\n");
    }

    @Test
    void logs_show_the_tail_follow_and_the_run_before() throws Exception {
        kubectl.run(
                        "run",
                        "talker",
                        "--image=busybox",
                        "--restart=Always",
                        "--",
                        "sh",
                        "-c",
                        "echo first; echo second; echo third; sleep 1; exit 1")
                .ok();
        soon(() -> assertThat(kubectl.run("logs", "talker", "--previous").ok()).isEqualTo("first\nsecond\nthird\n"));
        soon(() -> assertThat(kubectl.run("logs", "talker", "--tail=1").ok()).isEqualTo("third\n"));
        soon(() -> assertThat(kubectl.run("logs", "talker", "--timestamps", "--since=1h")
                        .ok())
                .matches("(?s)\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z first\n.*"));
        kubectl.run("delete", "pod", "talker", "--grace-period=1").ok();

        Kubectl.Result unknown = kubectl.run("logs", pod, "-c", "other");
        assertThat(unknown.output()).contains("container other is not valid for pod " + pod);

        kubectl.run(
                        "run",
                        "counter",
                        "--image=busybox",
                        "--restart=Never",
                        "--",
                        "sh",
                        "-c",
                        "for i in 1 2 3; do echo count $i; sleep 1; done")
                .ok();
        soon(() -> assertThat(kubectl.run("logs", "counter").exit()).isZero());
        assertThat(kubectl.run("logs", "-f", "counter").ok()).isEqualTo("count 1\ncount 2\ncount 3\n");
    }

    @Test
    void run_with_an_input_attaches_to_the_program_of_the_pod() throws Exception {
        Kubectl.Result result = typed(
                "echo in $(hostname)\nexit 4\n",
                "run",
                "shell",
                "-i",
                "--rm",
                "--image=busybox",
                "--restart=Never",
                "--",
                "sh");

        assertThat(result.output()).contains("in shell", "pod \"shell\" deleted");
        assertThat(result.exit()).isEqualTo(4);
    }

    @Test
    void files_are_copied_there_and_back() throws Exception {
        Path here = Files.writeString(Files.createTempFile("copied", ""), "what is copied");
        Path back = here.resolveSibling(here.getFileName() + ".back");
        try {
            kubectl.run("cp", here.toString(), pod + ":/tmp/copied").ok();
            assertThat(kubectl.run("exec", pod, "--", "cat", "/tmp/copied").ok())
                    .isEqualTo("what is copied");
            kubectl.run("cp", pod + ":/tmp/copied", back.toString()).ok();
            assertThat(back).hasContent("what is copied");
        } finally {
            Files.deleteIfExists(here);
            Files.deleteIfExists(back);
        }
    }

    @Test
    void a_forwarded_port_carries_connections() throws Exception {
        Path printed = Files.createTempFile("forward", "");
        Process forward = new ProcessBuilder(
                        "kubectl", "--kubeconfig", up.kubeconfig().toString(), "port-forward", "pod/" + pod, ":8080")
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            soon(() -> assertThat(Files.readString(printed)).contains("Forwarding from 127.0.0.1:"));
            int port =
                    Integer.parseInt(Files.readString(printed).replaceFirst("(?s).*?127\\.0\\.0\\.1:(\\d+) .*", "$1"));
            for (int i = 0; i < 5; i++) {
                assertThat(ask(port)).contains("pod: " + pod);
            }
        } finally {
            forward.destroy();
            assertThat(forward.waitFor(20, TimeUnit.SECONDS)).isTrue();
            Files.delete(printed);
        }
    }

    private static String ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pods_and_services_are_reached_through_the_api() throws Exception {
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/default/pods/" + pod + ":8080/proxy/a?b=c")
                        .ok())
                .contains("pod: " + pod, "request: GET /a?b=c");
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/default/services/hello:80/proxy/")
                        .ok())
                .contains("pod: hello-");
        assertThat(kubectl.run("get", "--raw", "/api/v1/namespaces/default/services/hello:81/proxy/")
                        .output())
                .contains("no endpoints available for service");
    }

    @Test
    void fabric8_executes_and_forwards() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExecWatch exec = fabric8.pods()
                .inNamespace("default")
                .withName(pod)
                .redirectingInput()
                .writingOutput(out)
                .exec("sh", "-c", "read x; echo got $x; exit 5")) {
            exec.getInput().write("typed\n".getBytes(StandardCharsets.UTF_8));
            exec.getInput().flush();
            assertThat(exec.exitCode().get(60, TimeUnit.SECONDS)).isEqualTo(5);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("got typed\n");
        try (LocalPortForward forward =
                fabric8.pods().inNamespace("default").withName(pod).portForward(8080)) {
            assertThat(ask(forward.getLocalPort())).contains("pod: " + pod);
        }
    }

    @Test
    void a_user_looks_into_a_running_pod_with_an_ephemeral_container() throws Exception {
        // Another one: of a pod with two containers kubectl says which one it takes.
        String other = kubectl.run("get", "pods", "-l", "app=hello", "-o", "jsonpath={.items[2].metadata.name}")
                .ok();
        fabric8.pods()
                .inNamespace("default")
                .withName(other)
                .ephemeralContainers()
                .edit(running -> new PodBuilder(running)
                        .editSpec()
                        .addNewEphemeralContainer()
                        .withName("debug")
                        .withImage("busybox")
                        .withCommand("sh", "-c", "hostname; exec sleep 1000")
                        .endEphemeralContainer()
                        .endSpec()
                        .build());

        soon(() -> assertThat(kubectl.run("logs", other, "-c", "debug").ok()).isEqualTo(other + "\n"));
        assertThat(kubectl.run("exec", other, "-c", "debug", "--", "curl", "-s", "127.0.0.1:8080")
                        .ok())
                .as("the network is the pod's")
                .contains("pod: " + other);
        assertThat(kubectl.run("get", "pod", other, "-o", "jsonpath={.status.ephemeralContainerStatuses[0].state}")
                        .ok())
                .contains("running");
    }

    @Test
    void fabric8_follows_a_log_and_is_informed_of_pods() {
        List<String> phases = new ArrayList<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SharedIndexInformer<Pod> informer =
                        fabric8.pods().inNamespace("default").inform();
                LogWatch _ = fabric8.pods()
                        .inNamespace("default")
                        .withName(pod)
                        .tailingLines(1)
                        .watchLog(out)) {
            soon(() -> assertThat(informer.getStore().list())
                    .extracting(seen -> seen.getMetadata().getName())
                    .contains(pod));
            soon(() -> assertThat(out.toString(StandardCharsets.UTF_8)).isNotEmpty());
            informer.getStore()
                    .list()
                    .forEach(seen -> phases.add(seen.getStatus().getPhase()));
        }
        assertThat(phases).contains("Running");
    }
}
