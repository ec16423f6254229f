package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a cluster begins and ends, as a user sees it.
@RequiresRoot
final class LifecycleIT {
    private static final String NAME = "fllife";

    @TempDir
    Path scratch;

    private RunningCluster cluster;

    @BeforeEach
    void up() throws Exception {
        cluster = RunningCluster.up(NAME);
    }

    @AfterEach
    void down() throws Exception {
        cluster.process().kill();
        Launched.run(scratch, "cleanup", "--dir", cluster.dir().toString(), "--name", NAME);
        Leavings.deleteFolder(cluster.dir());
    }

    @Test
    void what_up_says_to_try_works_as_printed() throws Exception {
        Files.copy(cluster.dir().resolve("kubeconfig"), scratch.resolve("kubeconfig"));
        List<String> commands = suggested(cluster.process().output());
        assertThat(commands).hasSizeGreaterThanOrEqualTo(3);
        for (String command : commands) {
            Process shell = new ProcessBuilder(
                            "bash", "-c", "cd '" + System.getProperty("fairlead.root") + "' && " + command)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(shell.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as("%s:%n%s", command, output).isZero();
            assertThat(output).as(command).isNotBlank();
        }
    }

    @Test
    void a_second_up_says_so_and_changes_nothing() throws Exception {
        Launched.Result second = Launched.start(
                        scratch, "up", "--dir", cluster.dir().toString(), "--name", NAME)
                .result();
        assertThat(second.exit()).isNotZero();
        assertThat(second.output()).contains("running already");
        assertThat(Traffic.ask(cluster.vip())).isInstanceOf(Traffic.Answer.From.class);
    }

    @Test
    void cleanup_removes_what_a_killed_up_left() throws Exception {
        List<Long> processes = processes();
        assertThat(processes).hasSizeGreaterThanOrEqualTo(7); // control plane, three nodes, three pods
        cluster.process().kill();
        assertThat(Leavings.of(NAME, processes))
                .as("something is left by kill -9")
                .isNotEmpty();

        Launched.Result cleanup =
                Launched.run(scratch, "cleanup", "--dir", cluster.dir().toString(), "--name", NAME);
        assertThat(cleanup.exit()).as(cleanup.output()).isZero();
        Leavings.assertNone(NAME, processes);

        Launched.Result again =
                Launched.run(scratch, "cleanup", "--dir", cluster.dir().toString(), "--name", NAME);
        assertThat(again.exit()).as(again.output()).isZero();
    }

    @Test
    void ending_up_leaves_nothing_even_after_a_child_crashed() throws Exception {
        List<Long> processes = processes();
        cluster.kill("node-2");
        cluster.kill("server");
        Launched.Result end = cluster.process().end();
        assertThat(end.output()).doesNotContain("Exception");
        Leavings.assertNone(NAME, processes);
    }

    private static List<Long> processes() {
        List<Long> processes = new ArrayList<>();
        NetworkNamespace.startingWith(NAME).forEach(namespace -> processes.addAll(namespace.processes()));
        return processes;
    }

    /// The commands that the welcome text offers: its indented lines that begin with a program.
    private static List<String> suggested(String welcome) {
        Matcher lines = Pattern.compile("(?m)^ +((?:curl|./fairlead|\\S*fairlead) .*?)(?: {2,}.*)?$")
                .matcher(welcome);
        List<String> commands = new ArrayList<>();
        while (lines.find()) {
            commands.add(lines.group(1));
        }
        return commands;
    }
}
