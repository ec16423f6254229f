package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.ListPieces;
import io.fairlead.objects.PackedList;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import tools.jackson.databind.node.ObjectNode;

/// The body of one answer on its way out; a large one is compressed if the client can read that (K8).
final class BodyWriter {
    // As in Kubernetes: what is smaller costs more time than it saves.
    private static final int WORTH_COMPRESSING = 128 * 1024;
    private static final int BUFFER = 256 * 1024;
    private static final int PIPED_BLOCK = 16 * 1024;
    // What belongs to one connection and not to the answer.
    private static final Set<String> HOP_BY_HOP = Set.of("connection", "keep-alive", "transfer-encoding", "upgrade");
    private static final byte[] COMMA = {','};
    private static final byte[] ITEMS = ",\"items\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

    // In characters, as in Kubernetes: more would not fit into the head of an answer.
    private static final int MOST_WARNED = 4096;
    private static final int LONGEST_WARNING = 1024;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final ApiRequest request;
    private final Response response;
    private int warned;

    BodyWriter(ApiRequest request, Response response) {
        this.request = request;
        this.response = response;
    }

    /// Adds a warning to the head of the answer, as long as there is room: an object may have any number of faults.
    void warn(String text) {
        String shown = CONTROL.matcher(text.substring(0, Math.min(text.length(), LONGEST_WARNING)))
                .replaceAll("?");
        warned += shown.length();
        if (warned <= MOST_WARNED) {
            String quoted = shown.replace("\\", "\\\\").replace("\"", "\\\"");
            response.getHeaders().add("Warning", "299 - \"" + quoted + "\"");
        }
    }

    void send(int code, String contentType, byte[] body) throws IOException {
        if (isCompressed(body.length)) {
            begin(response, code, contentType);
            try (OutputStream out = compressed()) {
                out.write(body);
            }
        } else {
            send(response, code, contentType, body);
        }
    }

    static void send(Response response, int code, String contentType, byte[] body) throws IOException {
        begin(response, code, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        Content.Sink.write(response, true, ByteBuffer.wrap(body));
    }

    void send(Answer.Page page) throws IOException {
        response.getHeaders().put(HttpHeader.ETAG, page.tag());
        response.getHeaders().put(HttpHeader.VARY, "Accept");
        if (request.headers().getOrDefault("if-none-match", "").contains(page.tag())) {
            response.setStatus(304);
            Content.Sink.write(response, true, ByteBuffer.allocate(0));
        } else {
            send(200, page.contentType(), page.body());
        }
    }

    /// Strings the bytes of the objects together: a list is never built as a tree.
    void sendList(ObjectNode head, List<ApiObject> items, ListPieces pieces) throws IOException, InterruptedException {
        byte[] open = open(head);
        long length = (long) open.length + Math.max(0, items.size() - 1) + END.length;
        for (ApiObject item : items) {
            length += item.json().length - item.itemStart() + 1;
        }
        begin(response, 200, Representation.JSON_TYPE);
        if (isCompressed(length)) {
            tellCompressed();
            OutputStream out = new BlockOutput(BUFFER);
            new PackedList(open, items).write(pieces, out);
            out.close(); // not if that failed: half a list must not look like one
        } else {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
            writeList(open, items, new BlockOutput((int) Math.min(length, BUFFER)));
        }
    }

    /// A list up to its first item.
    private static byte[] open(ObjectNode head) {
        byte[] closed = Json.bytes(head);
        byte[] open = Arrays.copyOf(closed, closed.length - 1 + ITEMS.length);
        System.arraycopy(ITEMS, 0, open, closed.length - 1, ITEMS.length);
        return open;
    }

    private static void writeList(byte[] open, List<ApiObject> items, OutputStream to) throws IOException {
        try (OutputStream out = to) {
            out.write(open);
            boolean first = true;
            for (ApiObject item : items) {
                if (!first) {
                    out.write(COMMA);
                }
                out.write('{');
                out.write(item.json(), item.itemStart(), item.json().length - item.itemStart());
                first = false;
            }
            out.write(END);
        }
    }

    /// Begins an answer whose end is not known yet; the client learns at once that it has begun.
    EventBuffer.Sink begin(String contentType) throws IOException {
        begin(response, 200, contentType);
        Content.Sink.write(response, false, ByteBuffer.allocate(0));
        return lines -> Content.Sink.write(response, false, ByteBuffer.wrap(lines));
    }

    /// Sends on what comes from elsewhere, at once: a user may be watching it come.
    void pipe(Answer.Piped piped) throws IOException {
        try (Closeable _ = piped.source()) {
            response.setStatus(piped.head().status());
            piped.head().headers().stream()
                    .filter(header -> !HOP_BY_HOP.contains(header.name().toLowerCase(Locale.ROOT)))
                    .forEach(header -> response.getHeaders().add(header.name(), header.value()));
            Content.Sink.write(response, false, ByteBuffer.allocate(0));
            byte[] block = new byte[PIPED_BLOCK];
            for (int count = piped.body().read(block);
                    count >= 0;
                    count = piped.body().read(block)) {
                Content.Sink.write(response, false, ByteBuffer.wrap(block, 0, count));
            }
            Content.Sink.write(response, true, ByteBuffer.allocate(0));
        }
    }

    private boolean isCompressed(long length) {
        return length >= WORTH_COMPRESSING
                && request.headers().getOrDefault("accept-encoding", "").contains("gzip");
    }

    private void tellCompressed() {
        response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
        response.getHeaders().put(HttpHeader.VARY, "Accept-Encoding");
    }

    private OutputStream compressed() throws IOException {
        tellCompressed();
        return new GZIPOutputStream(new BlockOutput(BUFFER), BUFFER) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        };
    }

    private static void begin(Response response, int code, String contentType) {
        response.setStatus(code);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
    }

    /// Gathers what is written into few large blocks, and marks the last one as the end of the answer.
    private final class BlockOutput extends OutputStream {
        private final ByteBuffer block;

        BlockOutput(int size) {
            this.block = ByteBuffer.allocate(size);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int done = 0;
            while (done < length) {
                if (!block.hasRemaining()) {
                    send(false);
                }
                int some = Math.min(block.remaining(), length - done);
                block.put(bytes, offset + done, some);
                done += some;
            }
        }

        @Override
        public void close() throws IOException {
            send(true);
        }

        private void send(boolean last) throws IOException {
            block.flip();
            Content.Sink.write(response, last, block);
            block.clear();
        }
    }
}
