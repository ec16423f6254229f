package io.fairlead.http;

import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// Turns a request into a WebSocket (RFC 6455), if it asks for one.
final class WebSockets {
    private static final int MESSAGE_LIMIT = 64 * 1024;

    private final ServerWebSocketContainer container;

    WebSockets(Server server) {
        container = ServerWebSocketContainer.ensure(server);
        container.setMaxTextMessageSize(MESSAGE_LIMIT);
        container.setMaxBinaryMessageSize(MESSAGE_LIMIT);
    }

    static boolean isWanted(Request request) {
        return "websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE));
    }

    /// Answers the handshake and hands the connection to `endpoint`, a Jetty endpoint; it speaks the first of
    /// `protocols` that the client offers, where it offers any. False if the handshake was not a valid one.
    boolean upgrade(Object endpoint, List<String> protocols, Request request, Response response, Callback callback) {
        return container.upgrade(
                (asked, answer, _) -> {
                    protocols.stream()
                            .filter(asked::hasSubProtocol)
                            .findFirst()
                            .ifPresent(answer::setAcceptedSubProtocol);
                    return endpoint;
                },
                request,
                response,
                callback);
    }
}
