package io.fairlead.streams;

import java.io.IOException;
import java.io.InputStream;

/// The body of an HTTP/1.1 answer, wherever it ends: after its length, after its last chunk, or with the connection.
public final class HttpBody extends InputStream {
    private static final int LONGEST_SIZE_LINE = 1024;

    private final InputStream in;
    private final boolean chunked;
    private long left; // of the chunk or of the whole; negative: until the connection ends
    private boolean ended;

    private HttpBody(InputStream in, boolean chunked, long left) {
        this.in = in;
        this.chunked = chunked;
        this.left = left;
    }

    public static InputStream of(HttpHead head, InputStream in) throws IOException {
        int status = head.status();
        if (status == 204 || status == 304) {
            return InputStream.nullInputStream();
        }
        String length = head.header("Content-Length");
        if (!length.matches("[0-9]{0,18}")) {
            throw new IOException("Content-Length is no number: " + length);
        }
        boolean chunked = head.header("Transfer-Encoding").equalsIgnoreCase("chunked");
        return new HttpBody(in, chunked, chunked ? 0 : length.isEmpty() ? -1 : Long.parseLong(length));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (ended || (left == 0 && !nextChunk())) {
            ended = true;
            return -1;
        }
        int count = in.read(into, offset, left < 0 ? length : (int) Math.min(length, left));
        if (count < 0 && left > 0) {
            throw new IOException("the connection ended within the body");
        }
        if (left > 0) {
            left -= count;
            endChunk();
        }
        return count;
    }

    private boolean nextChunk() throws IOException {
        if (!chunked) {
            return false;
        }
        String size = line().split(";", 2)[0].strip();
        if (!size.matches("[0-9a-fA-F]{1,15}")) {
            throw new IOException("a chunk has no size");
        }
        left = Long.parseLong(size, 16);
        if (left == 0) {
            while (!line().isEmpty()) {
                // trailers, which no caller here asks for
            }
        }
        return left > 0;
    }

    private void endChunk() throws IOException {
        if (chunked && left == 0 && !line().isEmpty()) {
            throw new IOException("a chunk is longer than its size");
        }
    }

    private String line() throws IOException {
        return HttpHead.line(in, LONGEST_SIZE_LINE)
                .orElseThrow(() -> new IOException("the connection ended within the body"));
    }
}
