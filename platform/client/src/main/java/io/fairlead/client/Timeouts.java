package io.fairlead.client;

import java.time.Duration;

/// How long we wait: for a connection, for a whole answer, and how long one watch may last.
///
/// java.net.http has no read timeout on a stream, so a watch whose connection died silently would last for ever: it
/// is cut `margin` after the time at which the server was asked to end it.
record Timeouts(Duration connect, Duration answer, Duration watch, Duration margin) {
    static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(180), Duration.ofSeconds(15));
}
