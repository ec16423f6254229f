package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Children in a network namespace.
final class CommandIT {
    @Test
    void a_child_runs_in_the_namespace_of_its_caller_and_does_not_keep_it() {
        NetworkNamespace namespace =
                NetworkNamespace.create("flcmd" + ProcessHandle.current().pid());
        try {
            List<String> ask = List.of("readlink", "/proc/self/ns/net");
            String inside = namespace.call(() -> Command.run(ask, "").output());
            assertThat(inside).isNotEqualTo(Command.run(ask, "").output());
            // Java says that a thread has ended a moment before the kernel does.
            await().until(() -> threadsIn(inside.strip()) == 0);
        } finally {
            namespace.delete();
        }
    }

    private static long threadsIn(String namespace) {
        String all = Command.run(
                        List.of(
                                "sh",
                                "-c",
                                "readlink /proc/%d/task/*/ns/net"
                                        .formatted(ProcessHandle.current().pid())),
                        "")
                .output();
        return all.lines().filter(namespace::equals).count();
    }
}
