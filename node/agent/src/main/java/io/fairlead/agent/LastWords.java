package io.fairlead.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// What a container wrote to its termination message before it ended.
final class LastWords {
    private static final int MOST_BYTES = 4096;
    private static final int MOST_LINES = 80;
    private static final int MOST_LOG = 2048;

    /// A log may be as large as its container likes: no more of its end is read than this.
    private static final int MOST_READ = 64 * 1024;

    private LastWords() {}

    /// The end of a log, as a container leaves it that fell silent: at most 80 lines and 2048 bytes.
    static String ofLog(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - MOST_READ);
            file.seek(from);
            byte[] bytes = new byte[(int) Math.min(MOST_READ, file.length() - from)];
            file.readFully(bytes);
            List<String> all = new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .skip(from == 0 ? 0 : 1) // half a line
                    .map(LastWords::text)
                    .toList();
            String end = String.join("\n", all.subList(Math.max(0, all.size() - MOST_LINES), all.size()));
            return end.substring(Math.max(0, end.length() - MOST_LOG));
        } catch (IOException e) {
            return "";
        }
    }

    /// A line without its time, its stream and its mark.
    private static String text(String line) {
        String[] parts = line.split(" ", 4);
        return parts.length < 4 ? "" : parts[3];
    }

    /// The first bytes of the file; empty if it is not there.
    static String read(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
