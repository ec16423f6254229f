package io.fairlead.http;

import io.fairlead.objects.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// The body of a request: read when somebody wants it, so that nobody who may not come in fills our memory.
final class BodyBytes implements Supplier<byte[]> {
    static final int LIMIT = 3 * 1024 * 1024;

    // A client that sends this much too much still gets to read why.
    private static final int MOST_TAKEN = 4 * LIMIT;

    private final Request request;
    private byte @Nullable [] bytes;
    private boolean refused;

    BodyBytes(Request request) {
        this.request = request;
    }

    @Override
    public byte[] get() {
        if (refused || request.getLength() > LIMIT) {
            throw tooLarge();
        }
        if (bytes == null) {
            bytes = read();
        }
        return bytes;
    }

    private byte[] read() {
        // Not closed: what is too long for us still has to be taken off the connection.
        InputStream in = Content.Source.asInputStream(request);
        try {
            // Who says how long the body is, is believed: else a buffer of 16 kB is made for each.
            byte[] read = in.readNBytes(request.getLength() < 0 ? LIMIT + 1 : (int) request.getLength());
            if (read.length > LIMIT) {
                refused = true;
                throw tooLarge();
            }
            return read;
        } catch (IOException e) {
            throw ApiException.badRequest("the body of the request broke off: " + e.getMessage());
        }
    }

    /// Takes the rest off the connection: to answer earlier would end it while the client still sends, and its next
    /// request on it would fail. What is far too long is left, and the connection with it.
    void finish() {
        if (bytes == null && request.getLength() <= MOST_TAKEN) {
            try {
                Content.Source.asInputStream(request).skipNBytes(MOST_TAKEN);
            } catch (IOException _) {
                // the end of the body, or of the client
            }
        }
    }

    private static ApiException tooLarge() {
        return ApiException.of(
                413, "RequestEntityTooLarge", "the body is too large: at most %d bytes are read".formatted(LIMIT));
    }
}
