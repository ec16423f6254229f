package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Maps, programs and links of a real kernel, with a control group and a BPF file system of its own.
final class BpfIT {
    private static final BpfMap.Shape SHAPE = new BpfMap.Shape("numbers", 1, 4, 8, 100_000, 1);
    private static final long GO_ON = 0x0000_0001_0000_00b7L; // r0 = 1
    private static final long EXIT = 0x95;

    private ControlGroup group;
    private Path files;

    @BeforeEach
    void make() {
        String name = "flkernel" + ProcessHandle.current().pid();
        group = ControlGroup.findRoot().orElseThrow().below(name);
        files = Path.of("/run/" + name);
        BpfFiles.mount(files);
    }

    @AfterEach
    void remove() throws Exception {
        BpfFiles.unmount(files);
        Files.delete(files);
        group.delete();
    }

    @Test
    void what_was_put_into_a_map_is_there_until_it_is_removed() {
        try (BpfMap map = BpfMap.create(SHAPE)) {
            map.put(ints(1, 2, 3), longs(10, 20, 30), 3);
            map.remove(ints(2), 1);
            assertThat(map.find(ints(1))).contains(longs(10));
            assertThat(map.find(ints(2))).isEmpty();
            assertThatThrownBy(() -> map.remove(ints(2), 1))
                    .isInstanceOfSatisfying(
                            KernelException.class,
                            e -> assertThat(e.is(Errno.ENOENT)).isTrue());
        }
    }

    @Test
    void every_element_of_a_large_map_is_shown_once() {
        int count = 50_000;
        ByteBuffer keys = ByteBuffer.allocate(count * 4).order(ByteOrder.nativeOrder());
        ByteBuffer values = ByteBuffer.allocate(count * 8).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            keys.putInt(i);
            values.putLong(2L * i);
        }
        try (BpfMap map = BpfMap.create(SHAPE)) {
            map.put(keys.array(), values.array(), count);
            Map<Integer, Long> shown = new HashMap<>();
            map.forEach((key, value) -> assertThat(shown.put(
                            ByteBuffer.wrap(key).order(ByteOrder.nativeOrder()).getInt(),
                            ByteBuffer.wrap(value)
                                    .order(ByteOrder.nativeOrder())
                                    .getLong()))
                    .isNull());
            assertThat(shown).hasSize(count).containsEntry(49_999, 99_998L);
        }
    }

    @Test
    void a_pinned_map_is_found_again_but_not_as_another_shape() {
        Path pin = files.resolve("numbers");
        try (BpfMap map = BpfMap.create(SHAPE)) {
            map.put(ints(7), longs(70), 1);
            map.pin(pin);
        }
        try (BpfMap again = BpfMap.find(pin, SHAPE).orElseThrow()) {
            assertThat(again.find(ints(7))).contains(longs(70));
        }
        assertThat(BpfMap.find(pin, new BpfMap.Shape("numbers", 1, 4, 4, 100_000, 1)))
                .isEmpty();
        assertThat(BpfMap.find(files.resolve("others"), SHAPE)).isEmpty();
    }

    @Test
    void a_program_runs_at_a_group_as_long_as_its_link_is_held() {
        Path pin = files.resolve("link");
        try (BpfProgram program = load(GO_ON, EXIT)) {
            try (BpfLink link = BpfLink.attach(program, BpfHook.CONNECT4, group)) {
                link.pin(pin);
            }
            try (BpfLink again = BpfLink.find(pin).orElseThrow()) {
                assertThat(again.group()).isEqualTo(group.id());
                again.replace(program);
                again.detach();
                assertThat(again.group()).isZero();
            }
        }
    }

    @Test
    void what_the_verifier_objects_to_is_in_the_error() {
        assertThatThrownBy(() -> load(EXIT))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("go_on; the verifier says:")
                .hasMessageContaining("R0 !read_ok");
    }

    @Test
    void a_process_is_in_the_group_that_it_was_moved_to() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            group.add(process.pid());
            assertThat(group.processes()).containsExactly(process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static BpfProgram load(long... instructions) {
        BpfObject.Code code = new BpfObject.Code("go_on", "cgroup/connect4", longs(instructions), Map.of());
        return BpfProgram.load(code, BpfHook.CONNECT4, Map.of(), "Apache-2.0");
    }

    private static byte[] ints(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 4).order(ByteOrder.nativeOrder());
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    private static byte[] longs(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 8).order(ByteOrder.nativeOrder());
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }
}
