package io.fairlead.streams;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Reads frames, one after the other.
final class SpdyReader {
    private static final int MOST_CONTROL_BYTES = 64 * 1024;

    /// A frame of a stream may have 16 MB: it is handed on in pieces, and so never held whole.
    private static final int PIECE = 16 * 1024;

    private final DataInputStream in;
    private final SpdyHeaders headers;
    private int stream; // whose frame is read in pieces
    private int left; // of that frame
    private boolean leftIsLast;

    SpdyReader(InputStream in, SpdyHeaders headers) {
        this.in = new DataInputStream(new BufferedInputStream(in, 32 * 1024));
        this.headers = headers;
    }

    /// The next frame; nothing at the end of the connection.
    Optional<SpdyFrame> read() throws IOException {
        if (left > 0) {
            return Optional.of(piece());
        }
        int begin = in.read();
        if (begin < 0) {
            return Optional.empty();
        }
        int word = begin << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int flagsAndLength = in.readInt();
        int length = flagsAndLength & 0xffffff;
        boolean last = (flagsAndLength >>> 24 & 1) != 0;
        return Optional.of(word < 0 ? control(word & 0xffff, length, last) : bytes(word, length, last));
    }

    private SpdyFrame bytes(int id, int length, boolean last) throws IOException {
        stream = id;
        left = length;
        leftIsLast = last;
        return piece();
    }

    private SpdyFrame piece() throws IOException {
        byte[] bytes = in.readNBytes(Math.min(PIECE, left));
        if (bytes.length < Math.min(PIECE, left)) {
            throw new IOException("the connection ended within a frame");
        }
        left -= bytes.length;
        return new SpdyFrame.Bytes(stream, bytes, leftIsLast && left == 0);
    }

    private SpdyFrame control(int type, int length, boolean last) throws IOException {
        if (length > MOST_CONTROL_BYTES) {
            throw new IOException("a SPDY frame of type %d has %d bytes".formatted(type, length));
        }
        ByteBuffer body = ByteBuffer.wrap(in.readNBytes(length));
        if (body.remaining() < shortest(type)) {
            throw new IOException("a SPDY frame of type %d is too short".formatted(type));
        }
        return switch (type) {
            case 1 -> new SpdyFrame.Open(number(body), headers.read(rest(body, 10)), last);
            case 2 -> new SpdyFrame.Reply(number(body), headers.read(rest(body, 4)), last);
            case 3 -> new SpdyFrame.Reset(number(body), body.getInt());
            case 6 -> new SpdyFrame.Ping(body.getInt());
            case 7 -> new SpdyFrame.Leave(number(body));
            case 8 -> {
                headers.read(rest(body, 4)); // no client sends any that counts, but the compression needs them
                yield new SpdyFrame.Other(type);
            }
            default -> new SpdyFrame.Other(type);
        };
    }

    private static int shortest(int type) {
        return switch (type) {
            case 1 -> 10;
            case 3, 7 -> 8;
            case 2, 6, 8 -> 4;
            default -> 0;
        };
    }

    private static int number(ByteBuffer body) {
        return body.getInt() & 0x7fffffff;
    }

    private static byte[] rest(ByteBuffer body, int from) {
        byte[] rest = new byte[body.limit() - from];
        body.get(from, rest);
        return rest;
    }
}
