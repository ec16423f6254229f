package io.fairlead.nginx;

import io.fairlead.routes.Feed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The local socket by which nginx is fed and asked: one request of HTTP/1.0 a connection.
final class Control {
    private static final int MOST = 500;
    private static final int BUFFER = 65_536;

    private static final Pattern ACTIVE = Pattern.compile("Active connections: ([0-9]+)");

    private final Path socket;

    Control(Path socket) {
        this.socket = socket;
    }

    /// Gives records, in pieces that nginx can hold. With `all` it then forgets every other: until then it
    /// answers by what it had.
    void feed(SortedMap<String, String> records, boolean all) {
        SortedMap<String, String> piece = new TreeMap<>();
        for (Map.Entry<String, String> entry : records.entrySet()) {
            piece.put(entry.getKey(), entry.getValue());
            if (piece.size() >= MOST) {
                send("/feed", piece);
                piece.clear();
            }
        }
        if (!piece.isEmpty()) {
            send("/feed", piece);
        }
        if (all) {
            SortedMap<String, String> keys = new TreeMap<>();
            records.keySet().forEach(key -> keys.put(key, ""));
            send("/feed?only", keys);
        }
    }

    private void send(String path, SortedMap<String, String> piece) {
        String answer = request("POST", path, Feed.lines(piece));
        if (!answer.startsWith("taken")) {
            throw new NginxException("feed nginx: " + answer.strip());
        }
    }

    /// The configuration that its workers run by.
    String generation() {
        return request("GET", "/generation", "").strip();
    }

    String counts() {
        return request("GET", "/counts", "");
    }

    /// How many connections there are, this one among them.
    int connections() {
        Matcher found = ACTIVE.matcher(request("GET", "/connections", ""));
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    /// A reload is near.
    void notice() {
        request("POST", "/notice", "");
    }

    private String request(String method, String path, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "%s %s HTTP/1.0\r\nHost: control\r\nContent-Length: %d\r\n\r\n".formatted(method, path, content.length);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            write(channel, head.getBytes(StandardCharsets.UTF_8));
            write(channel, content);
            String answer = read(channel);
            int end = answer.indexOf("\r\n\r\n");
            if (end < 0) {
                throw new NginxException("ask nginx for %s: no answer".formatted(path));
            }
            return answer.substring(end + 4);
        } catch (IOException e) {
            throw new NginxException("ask nginx for " + path, e);
        }
    }

    private static void write(SocketChannel channel, byte[] content) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static String read(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }
}
