package io.fairlead.http;

import io.fairlead.api.AgentDoor;
import io.fairlead.objects.StatusException;
import io.fairlead.streams.HttpBody;
import io.fairlead.streams.HttpHead;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/// Asks an agent, and turns its no into ours.
record AgentCalls(NodeAgents agents) {
    /// For what a person looks at or types into: as the kubelet has it.
    static final Duration LONG = Duration.ofHours(4);

    /// What an agent said, and the connection to it, over which more may come.
    record Answered(HttpHead head, InputStream in, SSLSocket socket) {}

    /// Asks for the user of `exchange`; when its client leaves, the connection to the agent ends, too. `idle` is how
    /// long the agent may be silent once it has answered.
    Answered call(String node, HttpHead request, Exchange exchange, Duration idle) {
        SSLSocket socket = agents.connect(node);
        exchange.closeWhenGone(socket);
        boolean done = false;
        try {
            String user = URLEncoder.encode(exchange.user().name(), StandardCharsets.UTF_8);
            socket.getOutputStream()
                    .write(request.with("Host", node)
                            .with(AgentDoor.USER_HEADER, user)
                            .bytes());
            InputStream in = new BufferedInputStream(socket.getInputStream());
            HttpHead head = HttpHead.read(in).orElseThrow(() -> new IOException("it said nothing"));
            if (head.status() >= 400) {
                throw refused(head, in);
            }
            socket.setSoTimeout((int) idle.toMillis());
            done = true;
            return new Answered(head, in, socket);
        } catch (IOException e) {
            throw StatusException.of(
                    503, "ServiceUnavailable", "the agent of node %s: %s".formatted(node, e.getMessage()));
        } finally {
            if (!done) {
                Answer.closeQuietly(socket);
            }
        }
    }

    private static StatusException refused(HttpHead head, InputStream in) throws IOException {
        String sentence = new String(HttpBody.of(head, in).readNBytes(4096), StandardCharsets.UTF_8);
        return StatusException.of(head.status(), reason(head.status()), sentence);
    }

    private static String reason(int status) {
        return switch (status) {
            case 400 -> "BadRequest";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 429 -> "TooManyRequests";
            case 503 -> "ServiceUnavailable";
            default -> "InternalError";
        };
    }
}
