package io.fairlead.bench;

import io.fairlead.api.IpPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// How one hostile connection behaves, until the other side ends it.
///
/// @param token of a user that may write, for those that come as one
/// @param pauseMillis between two requests of a connection that makes many
record HostileClient(HostileKind kind, IpPort to, String token, SSLSocketFactory tls, long pauseMillis) {
    private static final int CONNECT_MILLIS = 10_000;
    private static final long SLOW_MILLIS = 500;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// Returns or throws when the other side has ended it; `opened` runs when it stands.
    void run(Runnable opened) throws IOException, InterruptedException {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(InetAddress.getByName(to.ip().toString()), to.port()), CONNECT_MILLIS);
            plain.setTcpNoDelay(true);
            if (kind == HostileKind.SILENT) {
                opened.run();
                readToEnd(plain.getInputStream());
                return;
            }
            SSLSocket socket = (SSLSocket) tls.createSocket(plain, to.ip().toString(), to.port(), true);
            if (kind == HostileKind.RESETS) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                socket.setSSLParameters(parameters);
            }
            plain.setSoTimeout(60_000);
            socket.startHandshake();
            opened.run();
            attack(socket);
        }
    }

    private void attack(SSLSocket socket) throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        switch (kind) {
            case SILENT -> throw new IllegalStateException("it has no TLS");
            case SLOW_HEADER -> drip(out, head("GET /version HTTP/1.1", "X-Long: " + "x".repeat(10_000)));
            case SLOW_BODY -> {
                String configMaps = "POST /api/v1/namespaces/default/configmaps HTTP/1.1";
                out.write(bytes(head(configMaps, "Content-Type: application/json\r\nContent-Length: 100000")));
                drip(out, "{".repeat(10_000));
            }
            case HALF_CLOSED -> {
                out.write(bytes(head("GET /api/v1/namespaces/default/configmaps HTTP/1.1", "X-Short: x")));
                socket.shutdownOutput();
                Thread.sleep(60_000); // and reads nothing
            }
            case FLOOD -> flood(socket, out);
            case RESETS -> reset(out);
        }
    }

    private void drip(OutputStream out, String text) throws IOException, InterruptedException {
        for (byte one : bytes(text)) {
            out.write(one);
            Thread.sleep(SLOW_MILLIS);
        }
    }

    /// A thread of its own would read faster; the answers are small, so it is enough to read what is there.
    private void flood(SSLSocket socket, OutputStream out) throws IOException, InterruptedException {
        byte[] request = bytes(head("GET /api/v1/namespaces/default/configmaps/none HTTP/1.1", "X-Short: x"));
        byte[] answer = new byte[16_384];
        InputStream in = socket.getInputStream();
        while (true) {
            out.write(request);
            if (in.read(answer) < 0) {
                throw new IOException("ended");
            }
            Thread.sleep(pauseMillis);
        }
    }

    private void reset(OutputStream out) throws IOException, InterruptedException {
        out.write(PREFACE);
        out.write(frame(4, 0, 0, new byte[0])); // SETTINGS
        for (int stream = 1; true; stream += 2) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(frame(1, 0x5, stream, headers())); // END_STREAM, END_HEADERS
            both.writeBytes(frame(3, 0, stream, new byte[] {0, 0, 0, 8})); // CANCEL
            out.write(both.toByteArray());
            Thread.sleep(pauseMillis);
        }
    }

    /// HPACK from the static table: GET, https, and a path and an authority in plain letters.
    private static byte[] headers() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(new byte[] {(byte) 0x82, (byte) 0x87});
        literal(block, 0x04, "/api/v1/pods");
        literal(block, 0x01, "bench");
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, int name, String value) {
        block.write(name);
        block.write(value.length());
        block.writeBytes(bytes(value));
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private String head(String first, String more) {
        String user = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        return first + "\r\nHost: bench\r\n" + user + more + "\r\n\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void readToEnd(InputStream in) throws IOException {
        while (in.read() >= 0) {
            // nothing is expected
        }
        throw new IOException("ended");
    }
}
