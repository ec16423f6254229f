package io.fairlead.http;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/// Watches over WebSockets: each event is a message of its own (K18).
final class WatchSockets {
    private final WebSockets sockets;
    private final TaskGroup tasks;
    private final ServerMetrics metrics;

    WatchSockets(WebSockets sockets, TaskGroup tasks, ServerMetrics metrics) {
        this.sockets = sockets;
        this.tasks = tasks;
        this.metrics = metrics;
    }

    /// Takes over a watch that was asked for as a WebSocket: true if the connection is one from now on, and the
    /// callback no longer the caller's.
    boolean take(Answer answer, Request request, Response response, org.eclipse.jetty.util.Callback callback) {
        return switch (answer) {
            case Answer.Faced(Answer inner, KindFace _) -> take(inner, request, response, callback);
            case Answer.Stream(WatchStream watch)
            when WebSockets.isWanted(request) ->
                sockets.upgrade(new Endpoint(watch), List.of(), request, response, callback);
            case Answer other -> false;
        };
    }

    /// One WebSocket; a task of its own writes to it, so that pings and the close of the client are seen meanwhile.
    public final class Endpoint extends Session.Listener.AbstractAutoDemanding {
        private final WatchStream watch;

        private Endpoint(WatchStream watch) {
            this.watch = watch;
        }

        @Override
        public void onWebSocketOpen(Session session) {
            super.onWebSocketOpen(session);
            tasks.runAlone("watch-socket", () -> write(session));
        }

        private void write(Session session) throws InterruptedException {
            metrics.watchBegins();
            try {
                watch.writeTo(lines -> send(session, lines));
                session.close(StatusCode.NORMAL, "", Callback.NOOP);
            } catch (IOException e) {
                // The client went away: no client is left to answer.
                session.disconnect();
            } finally {
                metrics.watchEnds();
            }
        }
    }

    private static void send(Session session, byte[] lines) throws IOException, InterruptedException {
        for (String line : new String(lines, StandardCharsets.UTF_8).lines().toList()) {
            Callback.Completable sent = new Callback.Completable();
            session.sendText(line, sent);
            try {
                sent.get();
            } catch (ExecutionException e) {
                throw new IOException("the WebSocket is closed", e);
            }
        }
    }
}
