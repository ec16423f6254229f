package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryEntry.Door;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryKernelTest {
    private final MemoryKernel kernel = new MemoryKernel();
    private final MemoryBackend backend = new MemoryBackend(kernel);
    private final Program<MemoryEntry> nothing = Program.of(List.of());

    @Test
    void it_refuses_as_often_as_the_test_asks() {
        kernel.refuse(2);
        Patch<MemoryEntry> patch =
                Patch.between(nothing, Program.of(backend.compiler().foundation(NodeFacts.of("node-a", List.of()))));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(ApplyException.class).isThrownBy(() -> backend.apply(patch));
            assertThat(backend.observe()).isEqualTo(nothing);
        }
        backend.apply(patch);
        assertThat(backend.observe()).isNotEqualTo(nothing);
        assertThat(kernel.applied()).isEqualTo(1);
    }

    @Test
    void a_counter_dies_with_its_entry() {
        Program<MemoryEntry> program = new RandomRows(1).steps(20).program(backend);
        backend.apply(Patch.between(nothing, program));
        Door door = program.entries()
                .filter(Door.class::isInstance)
                .map(Door.class::cast)
                .findFirst()
                .orElseThrow();
        IpPort target = IpPort.parse("10.244.1.2:8080");
        kernel.connect(door.row().frontend(), target, 3);
        assertThat(backend.abilities().counters().orElseThrow().connections())
                .contains(new ConnectionCount.ToService(door.key(), door.row().service(), 3))
                .contains(new ConnectionCount.ToTarget(door.key(), door.row().service(), target, 3));

        Program<MemoryEntry> without = Program.of(
                program.entries().filter(entry -> !entry.equals(door)).toList());
        backend.apply(Patch.between(program, without));
        backend.apply(Patch.between(without, program));
        assertThat(backend.abilities().counters().orElseThrow().connections())
                .contains(new ConnectionCount.ToService(door.key(), door.row().service(), 0));
    }
}
