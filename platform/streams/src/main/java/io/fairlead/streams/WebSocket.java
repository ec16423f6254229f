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

/// The server's side of a WebSocket (RFC 6455): whole messages in, binary messages out.
public final class WebSocket {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int LARGEST_MESSAGE = 4 << 20;
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

    /// The next message; nothing when the client has closed. Pings are answered on the way.
    Optional<byte[]> read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int begin = in.read();
            if (begin < 0) {
                return Optional.empty();
            }
            byte[] payload = payload(LARGEST_MESSAGE - message.size());
            switch (begin & 0x0f) {
                case CLOSE -> {
                    close();
                    return Optional.empty();
                }
                case PING -> write(PONG, payload);
                case PONG -> {}
                default -> {
                    message.write(payload);
                    if ((begin & 0x80) != 0) {
                        return Optional.of(message.toByteArray());
                    }
                }
            }
        }
    }

    private byte[] payload(int most) throws IOException {
        int second = in.readUnsignedByte();
        long length = switch (second & 0x7f) {
            case 126 -> in.readUnsignedShort();
            case 127 -> in.readLong();
            default -> second & 0x7f;
        };
        if (length < 0 || length > most) {
            throw new IOException("a message of more than %d bytes".formatted(LARGEST_MESSAGE));
        }
        byte[] mask = (second & 0x80) != 0 ? in.readNBytes(4) : new byte[4];
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i & 3];
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
