package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A file system and where this process sees it, as in `/proc/self/mountinfo`.
record Mounted(Path at, String type) {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final int PLACE = 4;

    /// All of them; the last one at a place is the one that is seen.
    static Stream<Mounted> all() {
        try {
            return Files.readAllLines(TABLE).stream().map(Mounted::parse).flatMap(Optional::stream);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TABLE, e);
        }
    }

    /// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`: before the dash are optional fields.
    static Optional<Mounted> parse(String line) {
        List<String> words = Arrays.asList(line.split(" "));
        int dash = words.indexOf("-");
        return dash > PLACE && dash + 1 < words.size()
                ? Optional.of(new Mounted(Path.of(words.get(PLACE).replace("\\040", " ")), words.get(dash + 1)))
                : Optional.empty();
    }
}
