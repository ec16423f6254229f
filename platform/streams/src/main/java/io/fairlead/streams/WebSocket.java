package io.fairlead.streams;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The server's side of a WebSocket (RFC 6455): messages in, whole or in pieces; binary messages out.
public final class WebSocket {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int LARGEST_WHOLE = 1 << 20;
    private static final int LARGEST_CONTROL = 125;
    private static final int PIECE = 16 * 1024;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int NORMAL = 1000;

    private final DataInputStream in;
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean closed;
    private long left; // of the frame that is read
    private boolean ends; // whether that frame ends its message
    private boolean between = true; // two messages
    private byte[] mask = new byte[4];
    private int masked;

    /// A part of a message.
    record Piece(byte[] bytes, boolean first, boolean last) {}

    public WebSocket(Duplex bytes) {
        this.in = new DataInputStream(new BufferedInputStream(bytes.in(), 32 * 1024));
        this.out = bytes.out();
    }

    /// The answer to the client's `Sec-WebSocket-Key`.
    public static String acceptKey(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /// The next message, whole; nothing when the client has closed.
    Optional<byte[]> read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        for (Optional<Piece> piece = next(); piece.isPresent(); piece = next()) {
            message.write(piece.get().bytes());
            if (piece.get().last()) {
                return Optional.of(message.toByteArray());
            }
            if (message.size() > LARGEST_WHOLE) {
                throw new IOException("a message of more than %d bytes".formatted(LARGEST_WHOLE));
            }
        }
        return Optional.empty();
    }

    /// The next part of a message, no larger than [#PIECE]; nothing when the client has closed. Pings are answered on
    /// the way. A message is held in parts only, so that what a client promises takes no memory.
    Optional<Piece> next() throws IOException {
        while (left == 0) {
            int begin = in.read();
            if (begin < 0) {
                return Optional.empty();
            }
            open();
            switch (begin & 0x0f) {
                case CLOSE -> {
                    close();
                    return Optional.empty();
                }
                case PING -> write(PONG, unmasked(control()));
                case PONG -> unmasked(control());
                default -> {
                    ends = (begin & 0x80) != 0;
                    if (left == 0) {
                        return Optional.of(piece(0));
                    }
                }
            }
        }
        return Optional.of(piece((int) Math.min(PIECE, left)));
    }

    private Piece piece(int length) throws IOException {
        boolean first = between;
        byte[] bytes = unmasked(length);
        between = ends && left == 0;
        return new Piece(bytes, first, between);
    }

    /// Reads how long the next frame is, and its mask.
    private void open() throws IOException {
        int second = in.readUnsignedByte();
        left = switch (second & 0x7f) {
            case 126 -> in.readUnsignedShort();
            case 127 -> in.readLong();
            default -> second & 0x7f;
        };
        if (left < 0) {
            throw new IOException("a frame of a length below zero");
        }
        mask = new byte[4];
        if ((second & 0x80) != 0) {
            in.readFully(mask);
        }
        masked = 0;
    }

    private int control() throws IOException {
        if (left > LARGEST_CONTROL) {
            throw new IOException("a control frame of more than %d bytes".formatted(LARGEST_CONTROL));
        }
        return (int) left;
    }

    private byte[] unmasked(int length) throws IOException {
        byte[] payload = new byte[length];
        in.readFully(payload);
        left -= length;
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[masked++ & 3];
        }
        return payload;
    }

    /// Sends one binary message.
    void write(byte[] message) throws IOException {
        write(BINARY, message);
    }

    /// Sends one message of text, which `message` is in UTF-8.
    void writeText(byte[] message) throws IOException {
        write(TEXT, message);
    }

    private void write(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(10 + payload.length).put((byte) (0x80 | opcode));
        if (payload.length < 126) {
            frame.put((byte) payload.length);
        } else if (payload.length < 1 << 16) {
            frame.put((byte) 126).putShort((short) payload.length);
        } else {
            frame.put((byte) 127).putLong(payload.length);
        }
        frame.put(payload);
        writing.lock();
        try {
            out.write(frame.array(), 0, frame.position());
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    /// Says that this side is done; once.
    void close() throws IOException {
        writing.lock();
        try {
            if (!closed) {
                closed = true;
                write(CLOSE, ByteBuffer.allocate(2).putShort((short) NORMAL).array());
            }
        } finally {
            writing.unlock();
        }
    }
}
