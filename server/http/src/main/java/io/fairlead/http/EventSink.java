package io.fairlead.http;

import java.io.IOException;

/// Where the events of a watch go: the body of an answer, or a WebSocket.
@FunctionalInterface
interface EventSink {
    /// Sends one or more whole events, each ended by a newline; returns when they are on their way. The array is
    /// shared with other watches: nobody changes it.
    void send(byte[] lines) throws IOException, InterruptedException;
}
