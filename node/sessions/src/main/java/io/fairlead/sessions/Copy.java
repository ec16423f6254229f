package io.fairlead.sessions;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// Moves bytes as they come.
final class Copy {
    private static final int BLOCK = 16 * 1024;

    private Copy() {}

    /// Until `in` ends, or one of the two breaks: the peer at the other end finds out by itself.
    static void all(InputStream in, OutputStream out) {
        byte[] block = new byte[BLOCK];
        try {
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                out.write(block, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // Not worth a word: one side has left.
        }
    }

    /// Like [#all], and then tells `out` that this was all.
    static void allAndClose(InputStream in, OutputStream out) {
        all(in, out);
        try {
            out.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }
}
