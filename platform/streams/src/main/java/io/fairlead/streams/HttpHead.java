package io.fairlead.streams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The lines before the body of an HTTP/1.1 message: `first` is the request or the status line.
public record HttpHead(String first, List<Header> headers) {
    private static final int MOST_BYTES = 64 * 1024;

    public record Header(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    public HttpHead {
        headers = List.copyOf(headers);
    }

    public static HttpHead of(String first) {
        return new HttpHead(first, List.of());
    }

    public HttpHead with(String name, String value) {
        return new HttpHead(
                first,
                Stream.concat(headers.stream(), Stream.of(new Header(name, value)))
                        .toList());
    }

    /// Without the headers of this name.
    public HttpHead without(String name) {
        return new HttpHead(first, headers.stream().filter(h -> !h.is(name)).toList());
    }

    /// The first header of this name; empty if there is none.
    public String header(String name) {
        return headers.stream()
                .filter(h -> h.is(name))
                .map(Header::value)
                .findFirst()
                .orElse("");
    }

    /// All values of a header that lists them, with commas or by coming several times.
    public List<String> values(String name) {
        return headers.stream()
                .filter(h -> h.is(name))
                .flatMap(h -> Arrays.stream(h.value().split(",")))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /// The code of a status line; 0 if it is none.
    public int status() {
        String[] parts = first.split(" ", 3);
        return parts.length > 1 && parts[1].matches("[1-9][0-9][0-9]") ? Integer.parseInt(parts[1]) : 0;
    }

    /// Reads up to the empty line, and no byte of the body; nothing if the connection ends before the first byte.
    public static Optional<HttpHead> read(InputStream in) throws IOException {
        Optional<String> first = line(in, MOST_BYTES);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<Header> headers = new ArrayList<>();
        int left = MOST_BYTES - first.get().length();
        for (String line = next(in, left); !line.isEmpty(); line = next(in, left)) {
            left -= line.length() + 2;
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("a header has no colon");
            }
            headers.add(new Header(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return Optional.of(new HttpHead(first.get(), headers));
    }

    private static String next(InputStream in, int left) throws IOException {
        return line(in, left).orElseThrow(() -> new IOException("the connection ended within the headers"));
    }

    static Optional<String> line(InputStream in, int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0 && line.size() == 0) {
                return Optional.empty();
            } else if (b < 0 || line.size() >= most) {
                throw new IOException(b < 0 ? "the connection ended within a line" : "the headers are too long");
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }

    /// As it goes over the wire.
    public byte[] bytes() {
        StringBuilder text = new StringBuilder(first).append("\r\n");
        headers.forEach(
                h -> text.append(h.name()).append(": ").append(h.value()).append("\r\n"));
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
