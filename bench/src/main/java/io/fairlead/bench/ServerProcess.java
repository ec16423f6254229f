package io.fairlead.bench;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A [ServerMain] in a JVM of its own, always at the same address.
final class ServerProcess implements AutoCloseable {
    // Its output is read up to the line that says it is ready; what it may say later must not fill a pipe.
    private final List<String> command;
    private final IpPort at;
    private final String scheme;
    private Process process;

    private ServerProcess(List<String> command, IpPort at, String scheme) throws IOException {
        this.command = command;
        this.at = at;
        this.scheme = scheme;
        this.process = launch();
    }

    /// Starts a server on `store` with these options of the JVM; it answers when this returns. It is open to all.
    static ServerProcess start(String store, String... jvmOptions) throws IOException {
        IpPort at = freeAddress();
        return new ServerProcess(command(List.of(jvmOptions), List.of(store, at.toString())), at, "http");
    }

    /// The same with TLS and RBAC, as it is shipped; its keys are in the folder `pki`.
    static ServerProcess startGuarded(String store, Path pki, String... jvmOptions) throws IOException {
        IpPort at = freeAddress();
        List<String> arguments = List.of(store, at.toString(), pki.toString());
        return new ServerProcess(command(List.of(jvmOptions), arguments), at, "https");
    }

    private static List<String> command(List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dlogback.configurationFile=quiet-logback.xml"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ServerMain.class.getName()));
        command.addAll(arguments);
        return command;
    }

    private static IpPort freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return IpPort.parse("127.0.0.1:" + socket.getLocalPort());
        }
    }

    private Process launch() throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = started.inputReader();
        for (String line = output.readLine(); !ServerMain.READY.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new IllegalStateException("the server did not start: " + command);
            }
        }
        return started;
    }

    IpPort at() {
        return at;
    }

    URI address() {
        return URI.create(scheme + "://" + at);
    }

    /// The time on a processor that it took since it started.
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    long pid() {
        return process.pid();
    }

    /// Sends a signal by its name, such as `STOP`.
    void signal(String name) {
        Command.run(List.of("kill", "-" + name, Long.toString(process.pid())), "");
    }

    /// `kill -9`, without a warning.
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /// Ends it as a user would, and waits until it has ended.
    void stop() {
        process.destroy();
        process.onExit().join();
    }

    /// Starts it again after it was killed.
    void restart() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
