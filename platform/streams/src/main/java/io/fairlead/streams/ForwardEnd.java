package io.fairlead.streams;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.List;

/// The stream of errors of a forwarded connection, which is closed last: with it the client's two streams are over, and
/// make room for others.
final class ForwardEnd extends FilterOutputStream {
    private final SpdyConnection connection;
    private final List<SpdyStream> streams;

    ForwardEnd(SpdyStream error, SpdyStream data, SpdyConnection connection) {
        super(error.out());
        this.connection = connection;
        this.streams = List.of(error, data);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            streams.forEach(connection::forget);
        }
    }
}
