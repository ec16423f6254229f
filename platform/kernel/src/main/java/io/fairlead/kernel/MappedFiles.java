package io.fairlead.kernel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that this process sees as memory.
public final class MappedFiles {
    private static final int MADV_RANDOM = 1;
    private static final int MADV_PAGEOUT = 21;
    private static final Path MAPS = Path.of("/proc/self/maps");

    private MappedFiles() {}

    /// A part of a file in memory.
    record Part(long from, long to, String file) {}

    /// Lets go of what was read of the files whose names end in `suffix`: what is needed again is read again, without
    /// its neighbours, and what was changed stays. Gives the number of bytes that were spanned; a kernel before 5.4
    /// keeps all.
    public static long release(String suffix) {
        long bytes = 0;
        for (Part part : parts(read())) {
            if (part.file.endsWith(suffix) && release(part)) {
                bytes += part.to - part.from;
            }
        }
        return bytes;
    }

    private static boolean release(Part part) {
        try {
            advise(part, MADV_RANDOM);
            advise(part, MADV_PAGEOUT);
            return true;
        } catch (KernelException _) {
            return false;
        }
    }

    private static void advise(Part part, int advice) {
        MemorySegment start = MemorySegment.ofAddress(part.from);
        long length = part.to - part.from;
        FileCalls.madvise(part.file, start, length, advice);
    }

    private static List<String> read() {
        try {
            return Files.readAllLines(MAPS);
        } catch (IOException _) {
            return List.of(); // where it is hidden, nothing is let go
        }
    }

    /// From lines like `7f00-7f80 r--p 00000000 08:01 42 /lib/x.so`; other memory has no file.
    static List<Part> parts(List<String> lines) {
        List<Part> parts = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" +", 6);
            if (words.length > 5 && words[5].startsWith("/")) {
                String[] range = words[0].split("-", 2);
                parts.add(
                        new Part(Long.parseUnsignedLong(range[0], 16), Long.parseUnsignedLong(range[1], 16), words[5]));
            }
        }
        return parts;
    }
}
