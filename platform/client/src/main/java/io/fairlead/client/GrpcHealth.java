package io.fairlead.client;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Asks the health service of a gRPC server (`grpc.health.v1.Health/Check`) once, over HTTP/2 without TLS.
///
/// Only what this one question needs of HTTP/2 is here: one stream, headers that are sent without compression, and an
/// answer of which the message alone is read. A server that has no such service, or refuses, sends no message.
public record GrpcHealth(InetSocketAddress target, String service, int timeoutMillis) {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int STREAM = 1;
    private static final int LARGEST_FRAME = 1 << 14;
    private static final int LARGEST_ANSWER = 1 << 16;
    private static final int SERVING = 1;

    private record Frame(int type, int flags, int stream, byte[] content) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    /// True if the answer is SERVING.
    public boolean isServing() throws IOException {
        long end = System.nanoTime() + timeoutMillis * 1_000_000L;
        try (Socket socket = new Socket()) {
            socket.connect(target, timeoutMillis);
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            ask(out);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            while (true) {
                socket.setSoTimeout(left(end));
                Frame frame = read(in);
                answered(frame, out);
                boolean ours = frame.stream == STREAM;
                if (frame.type == GO_AWAY || (ours && frame.type == RESET)) {
                    return false;
                }
                if (ours && frame.type == DATA) {
                    append(answer, frame);
                }
                if (ours && frame.has(END_STREAM) && (frame.type == DATA || frame.type == HEADERS)) {
                    return isServing(answer.toByteArray());
                }
            }
        }
    }

    private static int left(long end) throws SocketTimeoutException {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) millis;
    }

    private void ask(DataOutputStream out) throws IOException {
        out.write(PREFACE);
        write(out, new Frame(SETTINGS, 0, 0, new byte[0]));
        write(out, new Frame(HEADERS, END_HEADERS, STREAM, headers()));
        write(out, new Frame(DATA, END_STREAM, STREAM, question()));
        out.flush();
    }

    private byte[] headers() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        String authority = target.getHostString() + ":" + target.getPort();
        for (Map.Entry<String, String> header : List.of(
                Map.entry(":method", "POST"),
                Map.entry(":scheme", "http"),
                Map.entry(":path", "/grpc.health.v1.Health/Check"),
                Map.entry(":authority", authority),
                Map.entry("content-type", "application/grpc"),
                Map.entry("te", "trailers"),
                Map.entry("user-agent", "kube-probe/1.36"))) {
            block.write(0); // a literal that is not to be remembered, with a name of its own (RFC 7541, 6.2.2)
            text(block, header.getKey());
            text(block, header.getValue());
        }
        return block.toByteArray();
    }

    /// Shorter than 127 bytes, or as many as its length in seven bits and more says; without Huffman.
    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            varint(block, bytes.length - 127);
        }
        block.writeBytes(bytes);
    }

    private static void varint(ByteArrayOutputStream out, int number) {
        int rest = number;
        while (rest > 127) {
            out.write((rest & 127) | 128);
            rest >>>= 7;
        }
        out.write(rest);
    }

    /// A message of gRPC: not compressed, its length, and `service` as field 1.
    private byte[] question() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        if (name.length > 0) {
            message.write((1 << 3) | 2);
            varint(message, name.length);
            message.writeBytes(name);
        }
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(framed);
        data.writeByte(0);
        data.writeInt(message.size());
        message.writeTo(data);
        return framed.toByteArray();
    }

    private static void answered(Frame frame, DataOutputStream out) throws IOException {
        if ((frame.type == SETTINGS || frame.type == PING) && !frame.has(ACK)) {
            write(out, new Frame(frame.type, ACK, 0, frame.type == PING ? frame.content : new byte[0]));
            out.flush();
        }
    }

    private static void append(ByteArrayOutputStream answer, Frame frame) throws IOException {
        int skipped = frame.has(PADDED) ? 1 : 0;
        int padding = frame.has(PADDED) && frame.content.length > 0 ? frame.content[0] & 255 : 0;
        int length = frame.content.length - skipped - padding;
        if (length < 0 || answer.size() + length > LARGEST_ANSWER) {
            throw new IOException("an answer that is no health");
        }
        answer.write(frame.content, skipped, length);
    }

    /// `status`, field 1 of the message, is SERVING.
    private static boolean isServing(byte[] answer) {
        int head = 5;
        return answer.length == head + 2 && answer[0] == 0 && answer[head] == 1 << 3 && answer[head + 1] == SERVING;
    }

    private static void write(DataOutputStream out, Frame frame) throws IOException {
        out.writeByte(frame.content.length >>> 16);
        out.writeShort(frame.content.length);
        out.writeByte(frame.type);
        out.writeByte(frame.flags);
        out.writeInt(frame.stream);
        out.write(frame.content);
    }

    private static Frame read(DataInputStream in) throws IOException {
        int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
        if (length > LARGEST_FRAME) {
            throw new IOException("a frame of %d bytes".formatted(length));
        }
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt() & Integer.MAX_VALUE;
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the connection ended within a frame");
        }
        return new Frame(type, flags, stream, content);
    }
}
