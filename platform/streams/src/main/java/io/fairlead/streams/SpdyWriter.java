package io.fairlead.streams;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/// Writes frames, for any number of threads.
final class SpdyWriter {
    private static final int CONTROL = 0x80030000;

    private final OutputStream out;
    private final SpdyHeaders headers;
    private final ReentrantLock lock = new ReentrantLock();

    SpdyWriter(OutputStream out, SpdyHeaders headers) {
        this.out = out;
        this.headers = headers;
    }

    void write(SpdyFrame frame) throws IOException {
        lock.lock();
        try {
            out.write(encode(frame));
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    // Under the lock: headers are compressed in the order in which they are sent.
    private byte[] encode(SpdyFrame frame) throws IOException {
        return switch (frame) {
            case SpdyFrame.Open(int stream, var fields, boolean last) ->
                control(1, last, ints(stream, 0), new byte[2], headers.write(fields));
            case SpdyFrame.Reply(int stream, var fields, boolean last) ->
                control(2, last, ints(stream), headers.write(fields));
            case SpdyFrame.Bytes(int stream, byte[] bytes, boolean last) -> frame(stream, last, bytes);
            case SpdyFrame.Reset(int stream, int status) -> control(3, false, ints(stream, status));
            case SpdyFrame.Ping(int id) -> control(6, false, ints(id));
            case SpdyFrame.Leave(int stream) -> control(7, false, ints(stream, 0));
            case SpdyFrame.Other(int type) -> throw new IllegalArgumentException("type " + type + " is only read");
        };
    }

    private static byte[] control(int type, boolean last, byte[]... parts) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.write(part);
        }
        return frame(CONTROL | type, last, body.toByteArray());
    }

    private static byte[] frame(int word, boolean last, byte[] body) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream(8 + body.length);
        DataOutputStream data = new DataOutputStream(frame);
        data.writeInt(word);
        data.writeInt((last ? 1 << 24 : 0) | body.length);
        data.write(body);
        return frame.toByteArray();
    }

    private static byte[] ints(int... values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        for (int value : values) {
            data.writeInt(value);
        }
        return bytes.toByteArray();
    }
}
