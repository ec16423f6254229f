package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A signal can only be sent to a process of its own.
final class ShutdownTest {

    /// Opens something, and holds it until it must end.
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            Shutdown.interrupts(() -> {
                try (AutoCloseable _ = () -> System.out.println("closed")) {
                    System.out.println("open");
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void a_program_that_gets_a_signal_closes_what_it_opened_before_it_ends() throws Exception {
        Process process = start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("open");
            process.toHandle().destroy(); // SIGTERM
            assertThat(out.readLine()).isEqualTo("closed");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Program.class.getName());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
