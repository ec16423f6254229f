package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RandomStepsTest {
    private static final NodeFacts NODE = NodeFacts.of("node-b", List.of());

    /// Terse now and then.
    private final NoteCompiler backend = new NoteCompiler(20);

    @Test
    void a_table_and_a_program_reached_by_a_thousand_steps_equal_those_compiled_from_scratch() {
        RandomCluster cluster = new RandomCluster(20260101);
        ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, NODE);
        Program<NoteEntry> program = Program.of(backend, table);
        for (int step = 0; step < 1000; step++) {
            Snapshot snapshot = cluster.step();
            NodeFacts node = NODE.withZone("zone-" + step / 100 % 2);
            table = table.at(snapshot, node);
            program = program.at(table, backend);

            ForwardingTable fresh = ForwardingTable.of(snapshot, node);
            assertThat(table.healthChecks()).isEqualTo(fresh.healthChecks());
            assertThat(table.rows()).as("table after step %d", step).isEqualTo(fresh.rows());
            assertThat(program.text())
                    .as("program after step %d", step)
                    .isEqualTo(Program.of(backend, fresh).text());
        }
        assertThat(program.size()).as("the walk ends somewhere").isGreaterThan(20);
    }

    @Test
    void the_patches_of_a_thousand_steps_lead_a_kernel_to_the_program() {
        RandomCluster cluster = new RandomCluster(7);
        Map<String, NoteEntry> kernel = new HashMap<>();
        ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, NODE);
        Program<NoteEntry> wanted = Program.of(backend, table);
        Program<NoteEntry> applied = Program.of(List.of());
        for (int step = 0; step < 1000; step++) {
            apply(kernel, Patch.between(applied, wanted));
            assertThat(Program.of(kernel.values()))
                    .as("kernel after step %d", step)
                    .isEqualTo(wanted);
            applied = wanted;
            table = table.at(cluster.step());
            wanted = wanted.at(table, backend);
        }
    }

    private static void apply(Map<String, NoteEntry> kernel, Patch<NoteEntry> patch) {
        patch.removed().forEach(entry -> assertThat(kernel.remove(entry.key())).isEqualTo(entry));
        patch.changed().forEach(change -> {
            assertThat(change.before()).isNotEqualTo(change.after());
            assertThat(kernel.put(change.after().key(), change.after())).isEqualTo(change.before());
        });
        patch.added()
                .forEach(entry -> assertThat(kernel.put(entry.key(), entry)).isNull());
    }
}
