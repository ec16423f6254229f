package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rehearsal is a play of the whole: the control plane as `server` wires it, and client commands on it.
final class RehearseCommandTest {

    @Test
    void everything_starts_answers_and_ends(@TempDir Path dir) {
        String[] args = {"rehearse", dir.toString()};
        assertThat(Main.commandLine(args).execute(args)).isZero();
        assertThat(dir.resolve("store.db")).exists();
        assertThat(dir.resolve("kubeconfig")).exists();
    }

    @Test
    void a_rehearsal_that_fails_says_so(@TempDir Path dir) {
        String[] args = {"rehearse", "/dev/null/nowhere"};
        assertThat(Main.commandLine(args).execute(args)).isEqualTo(1);
    }
}
