package io.fairlead.bench;

import io.fairlead.api.IpPort;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.SocketFactory;

/// One HTTP/1.1 connection that does as little as it can, so that the server is what is measured.
final class RawHttp implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final byte[] sink = new byte[256 * 1024];

    /// What came back; of the body only its length is kept.
    record Reply(int code, long length) {}

    RawHttp(IpPort server) throws IOException {
        this(server, SocketFactory.getDefault());
    }

    RawHttp(IpPort server, SocketFactory sockets) throws IOException {
        socket = sockets.createSocket(server.ip().toString(), server.port());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 256 * 1024);
    }

    /// Sends a request and reads its answer to the last byte.
    Reply send(String method, String path, String contentType, String body) throws IOException {
        socket.getOutputStream().write(head(method, path, contentType, body).getBytes(StandardCharsets.UTF_8));
        int code = Integer.parseInt(line().split(" ", -1)[1]);
        long length = -1;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:");
        }
        return new Reply(code, chunked ? skipChunks() : skip(Math.max(0, length)));
    }

    static String head(String method, String path, String contentType, String body) {
        return "%s %s HTTP/1.1\r\nHost: bench\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(method, path, contentType, body.getBytes(StandardCharsets.UTF_8).length, body);
    }

    private long skipChunks() throws IOException {
        long all = 0;
        for (long size = Long.parseLong(line(), 16); size > 0; size = Long.parseLong(line(), 16)) {
            all += skip(size);
            line();
        }
        line();
        return all;
    }

    private long skip(long length) throws IOException {
        long left = length;
        while (left > 0) {
            int read = in.read(sink, 0, (int) Math.min(sink.length, left));
            if (read < 0) {
                throw new EOFException(left + " bytes of the body are missing");
            }
            left -= read;
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server ended the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
