package io.fairlead.apiserver;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Makes the pieces of one list that nobody has made before; for one thread.
final class PieceMaker implements AutoCloseable {
    // Measured: as quick as 1, and 3 % smaller. From 4 on it takes more than twice the time.
    private static final int LEVEL = 3;
    private static final int BLOCK = 32 * 1024;

    private @Nullable Deflater deflater;

    /// The objects with commas between them.
    Piece make(List<ApiObject> run) {
        byte[] text = text(run);
        return new Piece(deflate(text), Checksum.of(text));
    }

    private static byte[] text(List<ApiObject> run) {
        int length = run.size() - 1;
        for (ApiObject object : run) {
            length += object.json().length;
        }
        byte[] text = new byte[length];
        int at = 0;
        for (ApiObject object : run) {
            if (at > 0) {
                text[at++] = ',';
            }
            byte[] json = object.json();
            System.arraycopy(json, 0, text, at, json.length);
            at += json.length;
        }
        return text;
    }

    private byte[] deflate(byte[] text) {
        Deflater fresh = fresh();
        fresh.setInput(text);
        ByteArrayOutputStream deflated = new ByteArrayOutputStream(BLOCK);
        byte[] block = new byte[BLOCK];
        int count;
        do {
            count = fresh.deflate(block, 0, BLOCK, Deflater.SYNC_FLUSH);
            deflated.write(block, 0, count);
        } while (count == BLOCK);
        return deflated.toByteArray();
    }

    /// Raw, without a wrapper, and without a memory of the piece before.
    private Deflater fresh() {
        if (deflater == null) {
            deflater = new Deflater(LEVEL, true);
        } else {
            deflater.reset();
        }
        return deflater;
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
