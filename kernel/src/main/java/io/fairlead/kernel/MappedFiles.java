package io.fairlead.kernel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that this process sees as memory.
public final class MappedFiles {
    private static final int MADV_DONTNEED = 4;
    private static final Path MEMORY = Path.of("/proc/self/smaps");

    private MappedFiles() {}

    /// A part of a file in memory; `changed` if this process has written to it, so that the file does not have it all.
    record Part(long from, long to, String permissions, String file, boolean changed) {}

    /// Lets go of what was read of the files whose names end in `suffix`, where nobody may write; what is needed again
    /// comes back from the kernel's own memory. Gives the number of bytes that were spanned.
    public static long release(String suffix) {
        long bytes = 0;
        for (Part part : parts(read())) {
            if (part.file.endsWith(suffix) && part.permissions.equals("r--p") && !part.changed) {
                long length = part.to - part.from;
                Libc.check("madvise", part.file, e -> (int)
                        Libc.Files.MADVISE.invokeExact(e, MemorySegment.ofAddress(part.from), length, MADV_DONTNEED));
                bytes += length;
            }
        }
        return bytes;
    }

    private static List<String> read() {
        try {
            return Files.readAllLines(MEMORY);
        } catch (IOException _) {
            return List.of(); // where it is hidden, nothing is let go
        }
    }

    /// From lines like `7f00-7f80 r--p 00000000 08:01 42 /lib/x.so`, each followed by lines like `Anonymous: 0 kB`.
    static List<Part> parts(List<String> lines) {
        List<Part> parts = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" +", 6);
            if (!words[0].endsWith(":")) {
                String[] range = words[0].split("-", 2);
                long from = Long.parseUnsignedLong(range[0], 16);
                long to = Long.parseUnsignedLong(range[1], 16);
                parts.add(new Part(from, to, words[1], words.length > 5 ? words[5] : "", false));
            } else if (words[0].equals("Anonymous:") && !words[1].equals("0")) {
                Part last = parts.removeLast();
                parts.add(new Part(last.from, last.to, last.permissions, last.file, true));
            }
        }
        return parts;
    }
}
