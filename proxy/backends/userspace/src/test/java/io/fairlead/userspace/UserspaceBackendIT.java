package io.fairlead.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.ProcessBoundContract;
import io.fairlead.testkit.RandomRows;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.userspace.UserspaceEntry.Leftover;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The contract of the backends, in a network namespace of its own.
@RequiresRoot
final class UserspaceBackendIT implements ProcessBoundContract<UserspaceEntry> {
    private static final Program<UserspaceEntry> NOTHING = Program.of(List.of());

    @Override
    public Machine<UserspaceEntry> machine() {
        return new NamespaceMachine();
    }

    @Test
    void rules_that_a_killed_process_left_are_replaced_or_taken_away() {
        try (NamespaceMachine machine = new NamespaceMachine();
                Backend<UserspaceEntry> backend = machine.open()) {
            machine.nft("add", "table", "ip", NftText.TABLE);
            machine.nft("add", "chain", "ip", NftText.TABLE, "old");
            Program<UserspaceEntry> found = backend.observe();
            assertThat(found.entries()).containsExactly(new Leftover(io.fairlead.api.Family.IPV4));

            Program<UserspaceEntry> wanted = new RandomRows(9).steps(20).program(backend);
            backend.apply(Patch.between(found, wanted));
            assertThat(machine.leftovers()).doesNotContain("chain old");
            assertThat(backend.observe()).isEqualTo(wanted);
        }
        try (NamespaceMachine machine = new NamespaceMachine();
                Backend<UserspaceEntry> backend = machine.open()) {
            machine.nft("add", "table", "ip6", NftText.TABLE);
            backend.apply(Patch.between(backend.observe(), NOTHING));
            assertThat(machine.leftovers()).isEmpty();
        }
    }

    @Test
    void foreign_tables_stay() {
        try (NamespaceMachine machine = new NamespaceMachine();
                Backend<UserspaceEntry> backend = machine.open()) {
            machine.nft("add", "table", "ip", "foreign");
            Program<UserspaceEntry> wanted = new RandomRows(10).steps(20).program(backend);
            backend.apply(Patch.between(NOTHING, wanted));
            backend.apply(Patch.between(wanted, NOTHING));
            assertThat(machine.leftovers().strip()).isEqualTo("table ip foreign {\n}");
        }
    }
}
