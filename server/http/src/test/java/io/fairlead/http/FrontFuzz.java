package io.fairlead.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/// What Jazzer calls: bytes over TLS to a real server, as HTTP/1.1 or, where the first byte is odd, HTTP/2. The server
/// must answer or end the connection soon after its client has, never with a fault of its own, and live on. The names
/// of
/// the methods are Jazzer's.
public final class FrontFuzz {
    private static final int PATIENCE_MILLIS = 10_000;

    private static @Nullable GuardedServer server;
    private static @Nullable SSLSocketFactory sockets;
    private static @Nullable Path folder;
    private static int port;

    private FrontFuzz() {}

    public static void fuzzerInitialize() throws Exception {
        Path made = Files.createTempDirectory("fairlead-front");
        folder = made;
        GuardedServer started = GuardedServer.start(made);
        sockets = GuardedServer.context(started.pki().authority().certificate(), Optional.empty())
                .getSocketFactory();
        port = URI.create(started.url()).getPort();
        server = started;
    }

    public static void fuzzerTearDown() throws Exception {
        if (server != null) {
            server.close();
        }
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (sockets == null) {
            throw new IllegalStateException("it was not started");
        }
        boolean second = input.length > 0 && input[0] % 2 != 0;
        try (SSLSocket socket = (SSLSocket) sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {second ? "h2" : "http/1.1"});
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readNBytes(1 << 16), StandardCharsets.ISO_8859_1);
            if (answer.startsWith("HTTP/1.1 500")) {
                throw new AssertionError(answer);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the server keeps a connection whose client has ended it", e);
        } catch (IOException e) {
            // it ended the connection
        }
    }
}
