package io.fairlead.up;

import io.fairlead.api.IpPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// One HTTP request on one new connection, as a user's `curl` makes it.
final class Greeting {
    private static final int PATIENCE_MILLIS = 500;
    private static final int LONGEST = 16 << 10;

    private Greeting() {}

    /// What was answered with 200, or nothing.
    static Optional<String> from(IpPort address) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getByAddress(address.ip().bytes()), address.port()),
                    PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request = "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(address);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(LONGEST);
            return body(new String(answer, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty(); // not there yet
        }
    }

    static Optional<String> body(String answer) {
        int empty = answer.indexOf("\r\n\r\n");
        return answer.startsWith("HTTP/1.1 200") && empty >= 0
                ? Optional.of(answer.substring(empty + 4).strip())
                : Optional.empty();
    }
}
