package io.fairlead.streams;

import java.util.Map;

/// One frame of SPDY/3.1.
sealed interface SpdyFrame {
    /// The other side opens a stream.
    record Open(int stream, Map<String, String> headers, boolean last) implements SpdyFrame {}

    /// A stream that was opened is accepted.
    record Reply(int stream, Map<String, String> headers, boolean last) implements SpdyFrame {}

    /// Bytes of a stream; with `last` no more come.
    record Bytes(int stream, byte[] bytes, boolean last) implements SpdyFrame {}

    /// A stream ends at once, in both directions.
    record Reset(int stream, int status) implements SpdyFrame {}

    record Ping(int id) implements SpdyFrame {}

    /// No new streams from now on.
    record Leave(int lastStream) implements SpdyFrame {}

    /// One that says nothing to us: settings, and windows, which clients of Kubernetes do not keep.
    record Other(int type) implements SpdyFrame {}
}
