package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFilesTest {
    @Test
    void parts_tell_where_they_are_what_is_allowed_and_whether_they_were_changed() {
        List<String> lines = """
            800001000-800002000 rw-p 00001000 08:01 42                        /opt/a b.aot
            Rss:                   4 kB
            Anonymous:             4 kB
            800002000-800004000 r--p 00002000 08:01 42                        /opt/a b.aot
            Anonymous:             0 kB
            VmFlags: rd mr mw me sd
            7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0
            Anonymous:            12 kB\
            """.lines().toList();
        assertThat(MappedFiles.parts(lines))
                .containsExactly(
                        new MappedFiles.Part(0x800001000L, 0x800002000L, "rw-p", "/opt/a b.aot", true),
                        new MappedFiles.Part(0x800002000L, 0x800004000L, "r--p", "/opt/a b.aot", false),
                        new MappedFiles.Part(0x7ffd00000000L, 0x7ffd00021000L, "rw-p", "", true));
    }

    @Test
    void a_library_that_was_let_go_is_there_when_it_is_needed() {
        long released = MappedFiles.release("/libjvm.so"); // the part with its tables: this very program needs them
        assertThat(released).isPositive();
        assertThat(List.of(3, 1, 2).stream().sorted().toList()).containsExactly(1, 2, 3);
    }

    @Test
    void what_is_shared_or_not_there_is_left_alone(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("some.kept"), new byte[] {1, 2, 3});
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var map = channel.map(FileChannel.MapMode.READ_ONLY, 0, 3);
            assertThat(MappedFiles.release("some.kept")).isZero();
            assertThat(MappedFiles.release("no such file")).isZero();
            assertThat(map.get(2)).isEqualTo((byte) 3);
        }
    }
}
