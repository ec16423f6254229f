package io.fairlead.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends connections on which nothing is asked for too long: a handshake or a header that does not come, or comes byte
/// by byte. Jetty's own timeout begins anew with each byte.
///
/// Requests pass through it, so that it knows which connections are being answered; those are left alone.
final class ConnectionWatch extends Handler.Wrapper implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
    private static final Duration LOOK = Duration.ofMillis(500);

    /// How long a client may take: to say hello, to ask for something at first, and for each header from then on.
    record Patience(Duration handshake, Duration first, Duration header) {
        static final Patience USUAL =
                new Patience(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(10));
    }

    private final Patience patience;
    private final Runnable cut;
    private final Map<Connection, Sight> sights = new ConcurrentHashMap<>();

    ConnectionWatch(Patience patience, Runnable cut) {
        this.patience = patience;
        this.cut = cut;
    }

    /// What is known of one connection; the watch alone writes the fields that are not for handlers.
    private static final class Sight {
        private final long opened = System.nanoTime();
        private final AtomicInteger active = new AtomicInteger();
        private final AtomicInteger answered = new AtomicInteger();
        private int lastAnswered = -1;
        private long bytes;
        private long headerSince;
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) { // what is spoken within it is a connection of its own
            sights.put(connection, new Sight());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        sights.remove(connection);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Sight sight = sights.get(request.getConnectionMetaData().getConnection());
        if (sight == null) {
            return super.handle(request, response, callback);
        }
        sight.active.incrementAndGet();
        try {
            return super.handle(request, response, callback);
        } finally {
            sight.answered.incrementAndGet();
            sight.active.decrementAndGet();
        }
    }

    /// Looks at all connections again and again, until it is interrupted.
    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK);
            long now = System.nanoTime();
            sights.forEach((connection, sight) -> look(connection, sight, now));
        }
    }

    private void look(Connection connection, Sight sight, long now) {
        int answered = sight.answered.get();
        if (sight.active.get() > 0) {
            return;
        }
        if (answered == 0) {
            boolean greeted = connection instanceof ConnectionMetaData;
            Duration most = greeted ? patience.first : patience.handshake;
            if (now - sight.opened > most.toNanos()) {
                end(connection, greeted ? "nothing was asked" : "no handshake");
            }
            return;
        }
        if (answered != sight.lastAnswered) {
            sight.lastAnswered = answered;
            sight.bytes = connection.getBytesIn();
            sight.headerSince = 0;
        } else if (isText(connection) && connection.getBytesIn() > sight.bytes) {
            sight.headerSince = sight.headerSince == 0 ? now : sight.headerSince;
            if (now - sight.headerSince > patience.header.toNanos()) {
                end(connection, "a slow header");
            }
        }
    }

    /// Over HTTP/2, a client may ping on a connection on which it asks for nothing.
    private static boolean isText(Connection connection) {
        return connection instanceof ConnectionMetaData http && http.getHttpVersion() != HttpVersion.HTTP_2;
    }

    private void end(Connection connection, String why) {
        LOG.debug(
                "event=connection-ended reason=\"{}\" from={}",
                why,
                connection.getEndPoint().getRemoteSocketAddress());
        sights.remove(connection);
        cut.run();
        connection.getEndPoint().close();
    }

    /// Runs `gone` when the client of a request that is being answered ends its connection over HTTP/1.1, or sends
    /// more although it has no answer yet: Jetty does not look at such a connection before the answer is written.
    /// It serves no other request then. Over HTTP/2 a client says so itself.
    static void whenGone(Request request, Response response, Runnable gone) {
        boolean text = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1;
        if (text && request.getLength() <= 0 && !request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            EndPoint client = request.getConnectionMetaData().getConnection().getEndPoint();
            client.tryFillInterested(new Look(client, gone));
        }
    }

    private record Look(EndPoint client, Runnable gone) implements Callback {
        @Override
        public void succeeded() {
            ByteBuffer block = BufferUtil.allocate(64);
            try {
                if (client.fill(block) == 0) {
                    client.tryFillInterested(this);
                    return;
                }
            } catch (IOException e) {
                // it is gone
            }
            gone.run();
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof TimeoutException && client.isOpen()) {
                client.tryFillInterested(this);
            } else {
                gone.run();
            }
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }
    }
}
