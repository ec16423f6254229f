package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real programs behind a root of their own.
final class LaunchIT {
    @TempDir
    private Path folder;

    @Test
    void a_program_sees_its_own_root_name_and_variables_and_nothing_else() throws Exception {
        Files.writeString(folder.resolve("greeting"), "hello\n");

        OptionalInt end =
                run(List.of("sh", "-c", "hostname; pwd; cat /etc/greeting; echo $A; ls /; ls /proc/self/fd; exit 7"));

        assertThat(end).hasValue(7);
        assertThat(Files.readString(folder.resolve("out")).lines())
                .startsWith("inside", "/work/here", "hello", "x=1")
                .contains("etc", "usr")
                .doesNotContain("home", "run")
                .endsWith("0", "1", "2", "3"); // 3 is the folder that ls reads
        assertThat(folder.resolve("root")).isEmptyDirectory();
    }

    @Test
    void a_program_that_is_not_there_is_told() {
        assertThatThrownBy(() -> run(List.of("no-such-program")))
                .isInstanceOfSatisfying(
                        KernelException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }

    @Test
    void the_end_of_a_process_that_is_gone_is_told_at_once() {
        try (ProcessEnds ends = new ProcessEnds()) {
            LinkedBlockingQueue<OptionalInt> told = new LinkedBlockingQueue<>();
            ends.watch(Integer.MAX_VALUE, told::add);
            assertThat(told.poll()).isEqualTo(OptionalInt.empty());
        }
    }

    private OptionalInt run(List<String> words) throws IOException, InterruptedException {
        Path point = Files.createDirectories(folder.resolve("root"));
        List<Mount> mounts = List.of(
                new Mount.Memory(Path.of("/")),
                new Mount.Bind(Path.of("/usr"), Path.of("/usr"), true, false),
                new Mount.Link(Path.of("/bin"), Path.of("usr/bin")),
                new Mount.Link(Path.of("/lib"), Path.of("usr/lib")),
                new Mount.Link(Path.of("/lib64"), Path.of("usr/lib64")),
                new Mount.Bind(Path.of("/proc"), Path.of("/proc"), false, true),
                new Mount.Bind(folder.resolve("greeting"), Path.of("/etc/greeting"), true, false));
        if (!Files.exists(folder.resolve("greeting"))) {
            Files.createFile(folder.resolve("greeting"));
        }
        Launch launch = new Launch(
                words,
                Map.of("A", "x=1", "PATH", "/usr/bin"),
                Path.of("/work/here"),
                List.of(Path.of("/dev/null"), folder.resolve("out"), folder.resolve("err")),
                new Enclosure("", "inside", point, mounts));
        try (ProcessEnds ends = new ProcessEnds()) {
            LinkedBlockingQueue<OptionalInt> told = new LinkedBlockingQueue<>();
            ends.watch(launch.start(), told::add);
            Thread loop = Thread.ofPlatform().start(ends::run);
            try {
                return told.poll(20, TimeUnit.SECONDS);
            } finally {
                loop.interrupt();
                loop.join();
            }
        }
    }
}
