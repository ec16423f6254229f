package io.fairlead.sessions;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.HttpHead;
import io.fairlead.streams.SpdyConnection;
import io.fairlead.streams.WebSocket;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// What a connection became when the client asked for streams.
sealed interface Upgrade {
    /// SPDY/3.1; `protocol` is what is spoken in its streams.
    record Spdy(SpdyConnection connection, String protocol) implements Upgrade {}

    record Socket(WebSocket socket, String protocol) implements Upgrade {}

    /// Takes the first of `offered` that the client speaks too, and tells it so; refuses where there is none.
    static Upgrade of(SessionRequest request, List<String> offered, TaskGroup tasks) throws IOException {
        String wanted = request.head().header("Upgrade").toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "spdy/3.1" -> spdy(request, offered, tasks);
            case "websocket" -> socket(request, offered);
            default ->
                throw SessionException.badRequest("you must use SPDY or WebSocket: an Upgrade header is missing");
        };
    }

    private static Upgrade spdy(SessionRequest request, List<String> offered, TaskGroup tasks) throws IOException {
        String protocol = agreed(request.head().values("X-Stream-Protocol-Version"), offered);
        request.answer(HttpHead.of("HTTP/1.1 101 Switching Protocols")
                .with("Connection", "Upgrade")
                .with("Upgrade", "SPDY/3.1")
                .with("X-Stream-Protocol-Version", protocol));
        return new Spdy(SpdyConnection.over(request.wire(), tasks), protocol);
    }

    private static Upgrade socket(SessionRequest request, List<String> offered) throws IOException {
        List<String> spoken = request.head().values("Sec-WebSocket-Protocol");
        // A client that names no protocol speaks the first one there was, where that is offered.
        boolean plain =
                spoken.isEmpty() && (offered.contains("channel.k8s.io") || offered.equals(LogSession.PROTOCOLS));
        String protocol = plain ? "" : agreed(spoken, offered);
        HttpHead answer = HttpHead.of("HTTP/1.1 101 Switching Protocols")
                .with("Connection", "Upgrade")
                .with("Upgrade", "websocket")
                .with("Sec-WebSocket-Accept", WebSocket.acceptKey(request.head().header("Sec-WebSocket-Key")));
        request.answer(plain ? answer : answer.with("Sec-WebSocket-Protocol", protocol));
        return new Socket(new WebSocket(request.wire()), protocol);
    }

    private static String agreed(List<String> spoken, List<String> offered) {
        return offered.stream()
                .filter(spoken::contains)
                .findFirst()
                .orElseThrow(() -> new SessionException(
                        403,
                        "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts %s"
                                .formatted(spoken, offered)));
    }
}
