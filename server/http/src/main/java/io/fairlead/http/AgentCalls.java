package io.fairlead.http;

import io.fairlead.objects.ApiException;
import io.fairlead.streams.HttpBody;
import io.fairlead.streams.HttpHead;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;

/// Asks an agent, and turns its no into ours.
record AgentCalls(NodeAgents agents) {
    /// What an agent said, and the connection to it, over which more may come.
    record Answered(HttpHead head, InputStream in, SSLSocket socket) {}

    Answered call(String node, HttpHead request) {
        SSLSocket socket = agents.connect(node);
        boolean done = false;
        try {
            socket.getOutputStream().write(request.with("Host", node).bytes());
            InputStream in = new BufferedInputStream(socket.getInputStream());
            HttpHead head = HttpHead.read(in).orElseThrow(() -> new IOException("it said nothing"));
            if (head.status() >= 400) {
                throw refused(head, in);
            }
            socket.setSoTimeout(0);
            done = true;
            return new Answered(head, in, socket);
        } catch (IOException e) {
            throw ApiException.of(
                    503, "ServiceUnavailable", "the agent of node %s: %s".formatted(node, e.getMessage()));
        } finally {
            if (!done) {
                Answer.closeQuietly(socket);
            }
        }
    }

    private static ApiException refused(HttpHead head, InputStream in) throws IOException {
        String sentence = new String(HttpBody.of(head, in).readNBytes(4096), StandardCharsets.UTF_8);
        return ApiException.of(head.status(), reason(head.status()), sentence);
    }

    private static String reason(int status) {
        return switch (status) {
            case 400 -> "BadRequest";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 503 -> "ServiceUnavailable";
            default -> "InternalError";
        };
    }
}
