package io.fairlead.client;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// A way through a SOCKS5 proxy for the HTTP client of Java, which knows HTTP proxies alone: one of those on the
/// loopback, which dials the API server, and no other, through the proxy. Names are looked up by the proxy.
final class SocksBridge implements AutoCloseable {
    private static final int SOCKS_PORT = 1080;
    private static final int CONNECT_MILLIS = 30_000;
    private static final int LONGEST_HEAD = 16 << 10;

    private final TaskGroup tasks = new TaskGroup("socks");
    private final Proxy proxy;
    private final InetSocketAddress server;
    private final ServerSocket listener;

    SocksBridge(URI proxy, URI server) {
        int port = proxy.getPort() < 0 ? SOCKS_PORT : proxy.getPort();
        this.proxy = new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(proxy.getHost(), port));
        boolean secure = "https".equalsIgnoreCase(server.getScheme());
        int wanted = server.getPort() < 0 ? (secure ? 443 : 80) : server.getPort();
        this.server = InetSocketAddress.createUnresolved(server.getHost(), wanted);
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("no port is left for the way through " + proxy, e);
        }
        tasks.run("accept", this::accept);
    }

    /// Where the HTTP client finds it.
    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                tasks.runAlone("bridge", () -> carry(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void carry(Socket client) throws InterruptedException {
        try (client;
                Socket far = new Socket(proxy)) {
            client.setSoTimeout(CONNECT_MILLIS);
            byte[] head = head(client.getInputStream());
            client.setSoTimeout(0);
            far.connect(server, CONNECT_MILLIS);
            if (new String(head, StandardCharsets.ISO_8859_1).startsWith("CONNECT ")) {
                client.getOutputStream()
                        .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } else {
                far.getOutputStream().write(head); // of a server without TLS, which takes a whole URL as well
            }
            try (TaskGroup directions = new TaskGroup("bridge")) {
                directions.run("out", () -> copy(client, far));
                copy(far, client);
            }
        } catch (IOException e) {
            // The client sees its connection end, and says so.
        }
    }

    /// Up to the empty line, byte by byte: what follows is not ours to keep.
    private static byte[] head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 || head.length() >= LONGEST_HEAD) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // One side left: both end.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is as good as closed.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            tasks.close();
        }
    }
}
