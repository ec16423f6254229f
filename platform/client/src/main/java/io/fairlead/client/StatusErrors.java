package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/// Refusals of the API server as exceptions, with the words of its Status object where it sent one.
final class StatusErrors {
    private static final int SHOWN = 200;

    private StatusErrors() {}

    /// From the body of an answer that is not what was asked for.
    static ApiException of(HttpRequest request, int code, byte[] body) {
        try {
            JsonNode status = Json.parse(body);
            if (Json.text(status, "kind").equals("Status")) {
                return of(status, code);
            }
        } catch (ParseException _) {
            // not from an API server: show it as it is
        }
        return unexpected(request, code, body);
    }

    /// From a body that is nothing an API server says.
    static ApiException unexpected(HttpRequest request, int code, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return new ApiException(
                code, "", "%s %s: the server answered %d: %s".formatted(request.method(), request.uri(), code, shown));
    }

    /// From a Status object; `code` counts where the Status names none.
    static ApiException of(JsonNode status, int code) {
        return new ApiException(
                Json.number(status, code, "code"), Json.text(status, "reason"), Json.text(status, "message"));
    }

    static ApiException unanswered(HttpRequest request, IOException cause) {
        return new ApiException("%s %s: no answer: %s".formatted(request.method(), request.uri(), why(cause)), cause);
    }

    /// What went wrong with a connection, in words: the JDK has none for the most common cases.
    static String why(Throwable cause) {
        if (cause.getMessage() != null) {
            return cause.getMessage();
        }
        return switch (cause) {
            case ConnectException connect when isUnknownName(connect) -> "the name of the server is not known";
            case ConnectException _ -> "no program listens at the server's address";
            case ClosedChannelException _ -> "the connection was closed";
            default -> "the connection broke";
        };
    }

    private static boolean isUnknownName(ConnectException connect) {
        return connect.getCause() != null && connect.getCause().getCause() instanceof UnresolvedAddressException;
    }
}
