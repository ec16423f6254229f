package io.fairlead.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;

/// One stream of a [SpdyConnection].
public final class SpdyStream {
    private static final int LARGEST_FRAME = 16 * 1024;

    private final int id;
    private final Map<String, String> headers;
    private final SpdyWriter writer;
    private final ByteQueue received;
    private final Output output = new Output();

    SpdyStream(int id, Map<String, String> headers, SpdyWriter writer, ByteQueue received) {
        this.id = id;
        this.received = received;
        this.headers = Map.copyOf(headers);
        this.writer = writer;
    }

    int id() {
        return id;
    }

    /// The header `name`, in lower case; empty if there is none.
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /// What the other side sends. Closing it throws away what comes.
    public InputStream in() {
        return received.input();
    }

    /// What we send. Closing it says that no more comes.
    public OutputStream out() {
        return output;
    }

    public Duplex duplex() {
        return new Duplex(in(), out());
    }

    ByteQueue received() {
        return received;
    }

    private final class Output extends OutputStream {
        private boolean closed;

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += LARGEST_FRAME) {
                int end = offset + Math.min(length, done + LARGEST_FRAME);
                writer.write(new SpdyFrame.Bytes(id, Arrays.copyOfRange(from, offset + done, end), false));
            }
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                writer.write(new SpdyFrame.Bytes(id, new byte[0], true));
            }
        }
    }
}
