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
    void parts_tell_where_they_are_and_of_which_file() {
        List<String> lines = """
            800001000-800002000 rw-p 00001000 08:01 42                        /opt/a b.aot
            5645f4a4a000-5645f57b9000 rw-p 00000000 00:00 0                   [heap]
            7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0\
            """.lines().toList();
        assertThat(MappedFiles.parts(lines))
                .containsExactly(new MappedFiles.Part(0x800001000L, 0x800002000L, "/opt/a b.aot"));
    }

    @Test
    void what_was_let_go_is_there_when_it_is_needed_and_what_was_changed_stays(@TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve("some.kept"), new byte[] {1, 2, 3});
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var map = channel.map(FileChannel.MapMode.PRIVATE, 0, 3);
            map.put(0, (byte) 9);
            MappedFiles.release("some.kept");
            assertThat(List.of(map.get(0), map.get(1), map.get(2))).containsExactly((byte) 9, (byte) 2, (byte) 3);
        }
        assertThat(MappedFiles.release("no such file")).isZero();
    }
}
