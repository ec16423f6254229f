package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.fairlead.containers.Keeper;
import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program that holds terminals, as the real thing: it is a process, and so is what it runs.
final class TerminalTest {
    @TempDir
    private Path folder;

    private Keeper keeper = new Keeper(Path.of(""));
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void install() {
        keeper = Keeper.install(folder);
    }

    @AfterEach
    void end_what_was_started() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(List<String> words) throws IOException {
        Process process = new ProcessBuilder(words).start();
        started.add(process);
        return process;
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void a_command_gets_its_input_and_ends_with_its_own_code() throws Exception {
        Process process = start(keeper.attached(false, List.of("sh", "-c", "cat; echo wrong >&2; exit 3")));
        Terminal.Frames frames = new Terminal.Frames(process.getOutputStream());
        byte[] hello = "hello\n".getBytes(StandardCharsets.UTF_8);
        frames.input(hello, hello.length);
        frames.endOfInput();

        assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("hello\n");
        assertThat(process.getErrorStream().readAllBytes()).asString().isEqualTo("wrong\n");
        assertThat(exitCode(process)).isEqualTo(3);
    }

    @Test
    void a_terminal_has_the_size_of_the_clients() throws Exception {
        Process process = start(keeper.attached(true, List.of("sh", "-c", "read line; stty size; tty")));
        Terminal.Frames frames = new Terminal.Frames(process.getOutputStream());
        frames.size(100, 40);
        frames.input(new byte[] {'\n'}, 1);

        assertThat(process.getInputStream().readAllBytes())
                .asString()
                .contains("40 100")
                .contains("/dev/pts/");
        assertThat(exitCode(process)).isZero();
    }

    @Test
    void a_command_that_is_not_there_ends_with_127() throws Exception {
        assertThat(exitCode(start(keeper.attached(false, List.of("no-such-command")))))
                .isEqualTo(127);
    }

    @Test
    void a_signal_goes_on_to_the_command() throws Exception {
        Process process =
                start(keeper.attached(false, List.of("sh", "-c", "trap 'exit 9' TERM; echo up; sleep 60 & wait")));
        assertThat(process.getInputStream().read()).isEqualTo('u');

        process.destroy();

        assertThat(exitCode(process)).isEqualTo(9);
    }

    @Test
    void clients_come_and_go_while_the_command_of_a_container_runs() throws Exception {
        Path socket = folder.resolve("web.terminal");
        Process process =
                start(keeper.listening(false, true, socket, List.of("sh", "-c", "while read x; do echo got $x; done")));
        await().until(() -> Files.exists(socket));

        assertThat(attachAndSay(socket, "one\n", 8)).isEqualTo("got one\n");
        assertThat(attachAndSay(socket, "two\n", 8)).isEqualTo("got two\n");
        try (SocketChannel last = connect(socket)) {
            new Terminal.Frames(Channels.newOutputStream(last)).endOfInput();
            assertThat(exitCode(process)).isZero();
        }
        assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("got one\ngot two\n");
    }

    private static SocketChannel connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    private static String attachAndSay(Path socket, String line, int answer) throws IOException {
        try (SocketChannel channel = connect(socket)) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            new Terminal.Frames(Channels.newOutputStream(channel)).input(bytes, bytes.length);
            byte[] frame = Channels.newInputStream(channel).readNBytes(5 + answer);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Terminal.copyOutput(new ByteArrayInputStream(frame), out, OutputStream.nullOutputStream());
            return out.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_size_without_an_end_and_a_frame_without_a_length_are_none() throws Exception {
        byte[] told = ("x".repeat(5_000_000) + "\n{\"Width\":80,\"Height\":24}\n").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        try (TaskGroup tasks = new TaskGroup("test")) {
            new Input(InputStream.nullInputStream(), new ByteArrayInputStream(told), new Terminal.Frames(frames))
                    .start(tasks);
            tasks.join();
        }
        assertThat(frames.toString(StandardCharsets.US_ASCII)).contains("80 24").hasSizeLessThan(100);
        for (String length : List.of("ffffffff", "7fffffff")) {
            byte[] frame = HexFormat.of().parseHex("6f" + length);
            assertThatIOException()
                    .isThrownBy(() -> Terminal.copyOutput(
                            new ByteArrayInputStream(frame),
                            OutputStream.nullOutputStream(),
                            OutputStream.nullOutputStream()));
        }
    }
}
