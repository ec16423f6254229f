package io.fairlead.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// One connection to Redis that publishes. RESP, as far as PUBLISH needs it: an array of three strings there, one line
/// back.
final class RedisConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int LONGEST_LINE = 1_024;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    RedisConnection(RedisChannel where) throws IOException {
        try {
            socket.connect(new InetSocketAddress(where.host(), where.port()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            out = new BufferedOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Returns when Redis has said that it took the message.
    void publish(String channel, byte[] message) throws IOException {
        out.write(ascii("*3\r\n"));
        write(ascii("PUBLISH"));
        write(channel.getBytes(StandardCharsets.UTF_8));
        write(message);
        out.flush();
        String reply = readLine();
        if (!reply.startsWith(":")) {
            throw new IOException("Redis answers " + reply);
        }
    }

    private void write(byte[] string) throws IOException {
        out.write(ascii("$" + string.length + "\r\n"));
        out.write(string);
        out.write(ascii("\r\n"));
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() == LONGEST_LINE) {
                throw new EOFException("Redis broke off its answer");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
