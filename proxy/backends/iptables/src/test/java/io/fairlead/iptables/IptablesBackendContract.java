package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.testkit.DurableContract;
import io.fairlead.testkit.NamespacedBackend;
import io.fairlead.testkit.RandomRows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The contract of the backends, and what is particular to this one, for each packet filter.
interface IptablesBackendContract extends DurableContract<IptablesEntry> {
    @Override
    IptablesMachine machine();

    @Test
    default void rules_of_others_are_left_alone() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            machine.iptables("-t", "nat", "-N", "DOCKER");
            machine.iptables("-t", "nat", "-A", "PREROUTING", "-j", "DOCKER");
            machine.iptables("-t", "nat", "-A", "DOCKER", "-i", "docker0", "-j", "RETURN");
            machine.iptables("-t", "nat", "-N", "KUBE-KUBELET-CANARY");
            Program<IptablesEntry> program = new RandomRows(21).steps(10).program(backend);
            backend.apply(Patch.between(Program.of(List.of()), program));
            assertThat(machine.iptables("-t", "nat", "-S", "PREROUTING"))
                    .as("ours come first")
                    .endsWith("-j KUBE-SERVICES\n-A PREROUTING -j DOCKER\n");

            backend.apply(Patch.between(backend.observe(), Program.of(List.of())));

            assertThat(machine.iptables("-t", "nat", "-S"))
                    .contains("-N DOCKER", "-N KUBE-KUBELET-CANARY")
                    .contains("-A PREROUTING -j DOCKER", "-A DOCKER -i docker0 -j RETURN")
                    .doesNotContain("KUBE-SERVICES");
        }
    }

    @Test
    default void a_rule_of_others_that_leads_to_a_chain_of_ours_survives_start_repair_and_cleanup() {
        String hostPort = "-A CNI-DN-x -s 10.244.1.0/24 -p tcp -m tcp --dport 8080 -j KUBE-MARK-MASQ";
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            machine.iptables("-t", "nat", "-N", "CNI-DN-x");
            machine.iptables("-t", "nat", "-N", "KUBE-MARK-MASQ");
            machine.iptables(("-t nat " + hostPort).split(" ", -1));
            Program<IptablesEntry> program = new RandomRows(28).steps(10).program(backend);
            backend.apply(Patch.between(backend.observe(), program));
            assertThat(backend.observe()).isEqualTo(program);
            assertThat(machine.iptables("-t", "nat", "-S", "CNI-DN-x")).contains(hostPort);

            machine.iptables("-t", "nat", "-F", "KUBE-MARK-MASQ");
            backend.apply(Patch.between(backend.observe(), program));
            assertThat(backend.observe()).isEqualTo(program);
            assertThat(IptablesMachine.drifted(backend)).isFalse();

            backend.apply(Patch.between(backend.observe(), Program.of(List.of())));
            assertThat(machine.iptables("-t", "nat", "-S"))
                    .contains(hostPort, "-N KUBE-MARK-MASQ")
                    .doesNotContain("-A KUBE-", "KUBE-S");
            assertThat(backend.observe()).as("nothing of ours").isEqualTo(Program.of(List.of()));
            backend.apply(Patch.between(backend.observe(), program));
            assertThat(backend.observe()).as("once more").isEqualTo(program);
        }
    }

    @Test
    default void what_another_program_put_into_a_chain_of_ours_is_taken_out() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            Program<IptablesEntry> program = new RandomRows(22).steps(10).program(backend);
            backend.apply(Patch.between(Program.of(List.of()), program));
            machine.iptables("-t", "nat", "-A", "KUBE-SERVICES", "-p", "udp", "-j", "ACCEPT");
            machine.iptables("-t", "nat", "-A", "KUBE-POSTROUTING", "-j", "RETURN");

            backend.apply(Patch.between(backend.observe(), program));

            assertThat(backend.observe()).isEqualTo(program);
            assertThat(machine.iptables("-t", "nat", "-S", "KUBE-SERVICES")).doesNotContain("-p udp -j ACCEPT");
        }
    }

    @Test
    default void rules_are_counted_without_a_look() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open();
                NamespacedBackend<IptablesEntry, IptablesBackend> other = machine.open()) {
            RandomRows rows = new RandomRows(26);
            Program<IptablesEntry> before = Program.of(List.of());
            for (int step = 0; step < 3; step++) {
                Program<IptablesEntry> now = rows.steps(5).program(backend);
                backend.apply(Patch.between(before, now));
                before = now;
                other.observe();
                assertThat(IptablesMachine.rules(backend))
                        .extracting(TableRules::held)
                        .isEqualTo(IptablesMachine.rules(other).stream()
                                .map(TableRules::held)
                                .toList());
            }
            assertThat(IptablesMachine.rules(backend))
                    .anySatisfy(rules -> assertThat(rules.written()).isPositive())
                    .allSatisfy(rules -> assertThat(rules.written()).isLessThanOrEqualTo(rules.held()));
        }
    }

    @Test
    default void a_foreign_flush_is_noticed_and_repaired() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            Program<IptablesEntry> program = new RandomRows(23).steps(10).program(backend);
            backend.apply(Patch.between(backend.observe(), program));
            assertThat(IptablesMachine.drifted(backend)).as("our own change").isFalse();
            for (String flush : List.of("-t nat -F", "-F", "-t mangle -F", "-t nat -F PREROUTING")) {
                machine.iptables(flush.split(" ", -1));
                assertThat(IptablesMachine.drifted(backend)).as(flush).isTrue();
                assertThat(backend.observe()).isNotEqualTo(program);

                backend.apply(Patch.between(backend.observe(), program));

                assertThat(backend.observe()).isEqualTo(program);
                assertThat(IptablesMachine.drifted(backend)).isFalse();
            }
        }
    }

    @Test
    default void a_large_program_is_repaired_and_its_many_transactions_are_no_drift() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            Program<IptablesEntry> program = large(new RandomRows(27).steps(10).program(backend));
            backend.apply(Patch.between(backend.observe(), program));
            assertThat(backend.observe()).isEqualTo(program);
            for (List<String> flush : List.of(List.of("-t nat -F"), List.of("-t nat -F", "-t nat -X"))) {
                flush.forEach(command -> machine.iptables(command.split(" ", -1)));
                assertThat(IptablesMachine.drifted(backend)).as("%s", flush).isTrue();

                backend.apply(Patch.between(backend.observe(), program));

                assertThat(IptablesMachine.drifted(backend))
                        .as("our own repair")
                        .isFalse();
                assertThat(backend.observe()).isEqualTo(program);
            }
        }
    }

    @Test
    default void a_large_patch_that_is_refused_leaves_nothing() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            Program<IptablesEntry> nothing = Program.of(List.of());
            List<IptablesEntry> chains = large(nothing).entries().toList();
            ChainKey services = new ChainKey(Family.IPV4, Table.NAT, ChainNames.SERVICES);
            Line neverThere = new Line(services, new Rule("-j KUBE-SVC-0"));
            Chain wrong = new Chain(chains.getLast().place(), List.of(new Rule("-j KUBE-SVC-NEVER-THERE")));
            List<IptablesEntry> oneIsWrong = new ArrayList<>(chains.subList(0, chains.size() - 1));
            oneIsWrong.add(wrong);
            for (Patch<IptablesEntry> refused : List.of(
                    new Patch<>(chains, List.of(), List.of(neverThere)),
                    new Patch<>(oneIsWrong, List.of(), List.of()))) {
                assertThatExceptionOfType(ApplyException.class).isThrownBy(() -> backend.apply(refused));
                assertThat(machine.leftovers()).isEmpty();
            }
        }
    }

    /// With more chains and rules than are written in one transaction.
    private static Program<IptablesEntry> large(Program<IptablesEntry> program) {
        Stream<IptablesEntry> chains = IntStream.range(1000, 2000)
                .mapToObj(i -> new Chain(
                        new ChainKey(Family.IPV4, Table.NAT, "KUBE-SEP-" + i),
                        List.of(new Rule("-s 10.244.0.1/32 -j RETURN"), new Rule("-j RETURN"))));
        return Program.of(Stream.concat(program.entries(), chains).toList());
    }

    @Test
    default void a_flush_before_a_change_of_ours_is_noticed_all_the_same() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            RandomRows rows = new RandomRows(24);
            Program<IptablesEntry> foundation = Program.of(backend.compiler().foundation(IptablesMachine.NODE));
            Program<IptablesEntry> more = rows.steps(1).program(backend);
            backend.apply(Patch.between(backend.observe(), foundation));
            machine.iptables("-t", "nat", "-F");
            backend.apply(new Patch<>(Patch.between(foundation, more).added(), List.of(), List.of()));
            assertThat(IptablesMachine.drifted(backend)).isTrue();
        }
    }

    @Test
    default void no_change_of_our_own_looks_like_that_of_another() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            RandomRows rows = new RandomRows(29);
            Program<IptablesEntry> before = Program.of(List.of());
            backend.observe();
            for (int step = 0; step < 30; step++) {
                Program<IptablesEntry> now = rows.steps(1).program(backend);
                backend.apply(Patch.between(before, now));
                assertThat(IptablesMachine.drifted(backend)).as("step %d", step).isFalse();
                before = now;
            }
            backend.apply(Patch.between(before, Program.of(List.of())));
            assertThat(IptablesMachine.drifted(backend)).isFalse();
        }
    }

    @Test
    default void a_changed_tail_of_a_shared_chain_leaves_its_lines() {
        try (IptablesMachine machine = machine();
                NamespacedBackend<IptablesEntry, IptablesBackend> backend = machine.open()) {
            RandomRows rows = new RandomRows(25).steps(10);
            Program<IptablesEntry> program = rows.program(backend);
            backend.apply(Patch.between(backend.observe(), program));
            Program<IptablesEntry> without = Program.of(program.entries()
                    .map(entry -> entry instanceof Chain chain && chain.isShared()
                            ? new Chain(chain.place(), List.of())
                            : entry)
                    .toList());
            backend.apply(Patch.between(program, without));
            assertThat(backend.observe()).isEqualTo(without);
            backend.apply(Patch.between(without, program));
            assertThat(backend.observe()).isEqualTo(program);
        }
    }
}
