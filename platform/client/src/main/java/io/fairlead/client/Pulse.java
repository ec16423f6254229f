package io.fairlead.client;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether the API server can be reached, asked again and again.
///
/// A cable that is pulled ends no connection. When it is back, each goes on when its next packet is due, up to half a
/// minute later, and each watch at a time of its own: a node would lead by the endpoints of now and the Services of
/// before. So silence is noticed, and when the server answers again all connections are made anew, at once.
final class Pulse {
    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    /// A server with much to do answers late; to cut it off for that would give it more to do.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration PATIENCE_ANEW = Duration.ofSeconds(2);
    private static final Duration WHILE_SILENT = Duration.ofMillis(500);

    private final ApiClient client;
    private final Duration every;
    private final Duration patience;
    private long returns;

    Pulse(ApiClient client) {
        this(client, EVERY, PATIENCE);
    }

    Pulse(ApiClient client, Duration every, Duration patience) {
        this.client = client;
        this.every = every;
        this.patience = patience;
    }

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(every);
            if (!client.answers(patience)) {
                awaitReturn();
            }
        }
    }

    private void awaitReturn() throws InterruptedException {
        LOG.warn("event=server-silent");
        while (!client.renew(PATIENCE_ANEW)) {
            Thread.sleep(WHILE_SILENT);
        }
        LOG.info("event=server-back");
        synchronized (this) {
            returns++;
            notifyAll();
        }
    }

    /// Waits so long, or until the server is back from a silence.
    synchronized void pause(Duration longest) throws InterruptedException {
        long seen = returns;
        long deadline = System.nanoTime() + longest.toNanos();
        while (returns == seen) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
