package io.fairlead.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A [ServerMain] in a JVM of its own, always at the same address.
final class ServerProcess implements AutoCloseable {
    // Its output is read up to the line that says it is ready; what it may say later must not fill a pipe.
    private final List<String> command;
    private final URI address;
    private Process process;

    private ServerProcess(List<String> command, URI address) throws IOException {
        this.command = command;
        this.address = address;
        this.process = launch();
    }

    /// Starts a server on `store` with these options of the JVM; it answers when this returns.
    static ServerProcess start(String store, String... jvmOptions) throws IOException {
        String at = "127.0.0.1:" + freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dlogback.configurationFile=quiet-logback.xml"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ServerMain.class.getName(), store, at));
        return new ServerProcess(command, URI.create("http://" + at));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
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

    URI address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    /// `kill -9`, without a warning.
    void kill() {
        process.destroyForcibly().onExit().join();
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
