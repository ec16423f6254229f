package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class MountedTest {
    @Test
    void a_line_says_where_a_file_system_is_and_of_which_type() {
        assertThat(Mounted.parse(
                        "36 35 0:29 / /sys/fs/cgroup/unified rw,relatime shared:9 master:1 - cgroup2 cgroup2 rw"))
                .contains(new Mounted(Path.of("/sys/fs/cgroup/unified"), "cgroup2"));
        assertThat(Mounted.parse("36 35 0:29 / /a\\040place rw - bpf bpf rw"))
                .contains(new Mounted(Path.of("/a place"), "bpf"));
    }

    @Test
    void a_line_that_is_cut_off_says_nothing() {
        assertThat(Mounted.parse("36 35 0:29 / /sys")).isEmpty();
    }
}
