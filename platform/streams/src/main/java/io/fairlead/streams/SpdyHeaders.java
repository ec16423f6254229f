package io.fairlead.streams;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// The headers of SPDY frames, which travel compressed: each direction is one zlib stream over all its frames, so a
/// codec belongs to one connection, and blocks must be read and written in order.
final class SpdyHeaders {
    private static final int MOST_BYTES = 64 * 1024;
    private static final byte[] DICTIONARY = SpdyDictionary.bytes();

    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater();

    SpdyHeaders() {
        deflater.setDictionary(DICTIONARY);
    }

    /// Names are in lower case, as SPDY has them.
    Map<String, String> read(byte[] block) throws IOException {
        DataInputStream plain = new DataInputStream(new ByteArrayInputStream(inflate(block)));
        Map<String, String> headers = new LinkedHashMap<>();
        for (int left = plain.readInt(); left > 0; left--) {
            headers.put(readText(plain).toLowerCase(Locale.ROOT), readText(plain));
        }
        return headers;
    }

    private static String readText(DataInputStream plain) throws IOException {
        int length = plain.readInt();
        if (length < 0 || length > plain.available()) {
            throw new IOException("a header of a SPDY frame is longer than its block");
        }
        return new String(plain.readNBytes(length), StandardCharsets.UTF_8);
    }

    private byte[] inflate(byte[] block) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] piece = new byte[4096];
        inflater.setInput(block);
        try {
            while (true) {
                int count = inflater.inflate(piece);
                plain.write(piece, 0, count);
                if (count == 0 && inflater.needsDictionary()) {
                    inflater.setDictionary(DICTIONARY);
                } else if (count == 0) {
                    return plain.toByteArray();
                }
                if (plain.size() > MOST_BYTES) {
                    throw new IOException("the headers of a SPDY frame are more than %d bytes".formatted(MOST_BYTES));
                }
            }
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new IOException("the headers of a SPDY frame cannot be read", e);
        }
    }

    byte[] write(Map<String, String> headers) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(plain);
        out.writeInt(headers.size());
        for (Map.Entry<String, String> header : headers.entrySet()) {
            writeText(out, header.getKey().toLowerCase(Locale.ROOT));
            writeText(out, header.getValue());
        }
        return deflate(plain.toByteArray());
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private byte[] deflate(byte[] plain) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        byte[] piece = new byte[4096];
        deflater.setInput(plain);
        int count;
        do {
            count = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
            block.write(piece, 0, count);
        } while (count == piece.length);
        return block.toByteArray();
    }

    /// Gives back the memory outside the heap.
    void close() {
        inflater.end();
        deflater.end();
    }
}
