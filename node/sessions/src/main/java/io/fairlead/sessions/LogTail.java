package io.fairlead.sessions;

import java.io.IOException;
import java.io.RandomAccessFile;

/// Finds where the last lines of a file begin, from its end: a long log costs no more than a short one.
final class LogTail {
    private static final int BLOCK = 64 * 1024;

    private LogTail() {}

    static long start(RandomAccessFile log, long lines) throws IOException {
        long end = log.length();
        if (lines == 0) {
            return end;
        }
        long found = 0;
        byte[] block = new byte[BLOCK];
        for (long at = Math.max(0, end - BLOCK), last = end; last > 0; last = at, at = Math.max(0, at - BLOCK)) {
            int size = (int) (last - at);
            log.seek(at);
            log.readFully(block, 0, size);
            for (int i = size - 1; i >= 0; i--) {
                // The end of the last line begins no line.
                if (block[i] == '\n' && at + i + 1 < end && ++found == lines) {
                    return at + i + 1;
                }
            }
        }
        return 0;
    }
}
