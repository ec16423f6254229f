package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandTest {
    @Test
    void what_a_child_reads_and_writes_goes_through() {
        String large = "a line\n".repeat(100_000);
        assertThat(Command.run(List.of("cat"), large)).isEqualTo(new Command.Result(0, large, ""));
    }

    @Test
    void a_child_that_fails_says_why() {
        Command.Result result = Command.run(List.of("sh", "-c", "echo broken >&2; exit 3"), "");
        assertThat(result).isEqualTo(new Command.Result(3, "", "broken\n"));
        assertThat(result.succeeded()).isFalse();
    }

    @Test
    void a_signal_is_told_as_the_shell_does() {
        assertThat(Command.run(List.of("sh", "-c", "kill -9 $$"), "").status()).isEqualTo(137);
    }

    @Test
    void a_program_that_is_not_there_is_named() {
        assertThatExceptionOfType(KernelException.class)
                .isThrownBy(() -> Command.run(List.of("no-such-program"), ""))
                .withMessageContaining("posix_spawnp no-such-program: ENOENT");
    }
}
