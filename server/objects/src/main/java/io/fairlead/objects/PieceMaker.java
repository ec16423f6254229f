package io.fairlead.objects;

import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// Makes the pieces of one list that no thread has made before; for one thread.
final class PieceMaker implements AutoCloseable {
    // Measured: a tenth slower than 1 and 2 to 4 % smaller. From 4 on it takes more than twice the time.
    private static final int LEVEL = 3;

    // Used for one piece after the other: else a first list would leave as much behind as it is long.
    private byte[] text = new byte[0];
    private byte[] deflated = new byte[0];
    private @Nullable Deflater deflater;

    /// The objects with commas between them.
    Piece make(List<ApiObject> run) {
        int length = join(run);
        return new Piece(deflate(length), Checksum.of(text, length));
    }

    private int join(List<ApiObject> run) {
        int at = 0;
        for (ApiObject object : run) {
            byte[] json = object.json();
            int start = object.itemStart();
            text = withRoom(text, at + 2 + json.length);
            if (at > 0) {
                text[at++] = ',';
            }
            text[at++] = '{';
            System.arraycopy(json, start, text, at, json.length - start);
            at += json.length - start;
        }
        return at;
    }

    private byte[] deflate(int length) {
        Deflater fresh = fresh();
        fresh.setInput(text, 0, length);
        int at = 0;
        do {
            deflated = withRoom(deflated, at + 1);
            at += fresh.deflate(deflated, at, deflated.length - at, Deflater.SYNC_FLUSH);
        } while (at == deflated.length); // there may be more
        return Arrays.copyOf(deflated, at);
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

    private static byte[] withRoom(byte[] bytes, int length) {
        return length <= bytes.length ? bytes : Arrays.copyOf(bytes, Math.max(2 * length, ListCuts.USUAL));
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.end();
        }
    }
}
