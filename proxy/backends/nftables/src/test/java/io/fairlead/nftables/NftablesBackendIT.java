package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.nftables.NftablesEntry.Table;
import io.fairlead.testkit.DurableContract;
import io.fairlead.testkit.RandomRows;
import io.fairlead.testkit.RequiresRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The contract of the backends, and what is particular to this one, in a network namespace of its own.
@RequiresRoot
final class NftablesBackendIT implements DurableContract<NftablesEntry> {
    private static final Program<NftablesEntry> NOTHING = Program.of(List.of());

    @Override
    public Machine<NftablesEntry> machine() {
        return new NftablesMachine();
    }

    @Test
    void nft_lists_all_of_it() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            Program<NftablesEntry> program = Program.of(new NftablesCompiler().sample(NftablesMachine.NODE));
            backend.apply(Patch.between(NOTHING, program));

            assertThat(machine.nft("list", "ruleset"))
                    .contains("typeof ip daddr . meta l4proto . th dport . numgen random mod 1 : ip daddr . th dport")
                    .contains("typeof ip6 saddr . ip6 daddr")
                    .contains("192.0.2.1 . tcp . 80 counter packets 0 bytes 0 comment \"sample/sample\" : 0xc0000001")
                    .contains("dnat ip6 to ip6 daddr . meta l4proto . th dport . numgen random mod 1 map @endpoint")
                    .contains("meta mark vmap @plan")
                    .contains("ip saddr . ip daddr @hairpin masquerade fully-random");
        }
    }

    @Test
    void others_cannot_change_the_tables() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            Program<NftablesEntry> program = new RandomRows(21).steps(10).program(backend);
            backend.apply(Patch.between(NOTHING, program));

            assertThatThrownBy(() -> machine.nft("flush", "chain", "ip", "fairlead", "services"))
                    .hasMessageContaining("Operation not permitted");
            machine.nft("flush", "ruleset");

            assertThat(backend.observe()).isEqualTo(program);
        }
    }

    @Test
    void a_second_backend_reads_but_is_told_that_it_does_not_own_the_tables() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> first = machine.open();
                Backend<NftablesEntry> second = machine.open()) {
            Program<NftablesEntry> program = new RandomRows(22).steps(10).program(first);
            first.apply(Patch.between(NOTHING, program));

            assertThat(second.observe()).isEqualTo(program);
            assertThatExceptionOfType(ApplyException.class)
                    .isThrownBy(() -> second.apply(Patch.between(program, NOTHING)))
                    .withMessageContaining("another process owns the table");
            assertThat(first.observe()).isEqualTo(program);
        }
    }

    @Test
    void a_table_that_another_program_made_is_replaced() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            machine.nft("add", "table", "ip", "fairlead");
            machine.nft("add", "chain", "ip", "fairlead", "services");

            Program<NftablesEntry> observed = backend.observe();
            assertThat(observed).isEqualTo(Program.of(List.of(new Table(Family.IPV4, false))));

            Program<NftablesEntry> wanted = new RandomRows(23).steps(10).program(backend);
            backend.apply(Patch.between(observed, wanted));
            assertThat(backend.observe()).isEqualTo(wanted);
        }
    }

    @Test
    void what_was_put_into_an_orphaned_table_is_found() {
        try (NftablesMachine machine = new NftablesMachine()) {
            Program<NftablesEntry> wanted;
            try (Backend<NftablesEntry> backend = machine.open()) {
                wanted = new RandomRows(24).steps(10).program(backend);
                backend.apply(Patch.between(NOTHING, wanted));
            }
            machine.nft("insert", "rule", "ip", "fairlead", "services", "udp", "dport", "53", "accept");
            try (Backend<NftablesEntry> next = machine.open()) {
                Program<NftablesEntry> observed = next.observe();
                assertThat(observed.find(new Table(Family.IPV4, false).key())).contains(new Table(Family.IPV4, false));
                next.apply(Patch.between(observed, wanted));
                assertThat(next.observe()).isEqualTo(wanted);
                assertThat(machine.nft("list", "chain", "ip", "fairlead", "services"))
                        .doesNotContain("accept");
            }
        }
    }

    @Test
    void a_kernel_that_does_not_know_owners_gets_plain_tables() {
        try (NftablesMachine machine = new NftablesMachine()) {
            Program<NftablesEntry> program = Program.of(new NftablesCompiler().sample(NftablesMachine.NODE));
            machine.namespace().run(() -> {
                try (NftablesApplier applier = new NftablesApplier(_ -> SupportReader.PLAIN)) {
                    applier.apply(Patch.between(NOTHING, program));
                }
                try (NftablesApplier next = new NftablesApplier(_ -> SupportReader.PLAIN)) {
                    assertThat(next.observe()).isEqualTo(program);
                    next.apply(Patch.between(program, NOTHING));
                    assertThat(next.observe()).isEqualTo(NOTHING);
                }
            });
        }
    }

    @Test
    void what_others_do_to_plain_tables_is_noticed_and_what_they_do_elsewhere_is_not() {
        try (NftablesMachine machine = new NftablesMachine()) {
            Program<NftablesEntry> program = Program.of(new NftablesCompiler().sample(NftablesMachine.NODE));
            machine.namespace().run(() -> {
                try (NftablesApplier applier = new NftablesApplier(_ -> SupportReader.PLAIN)) {
                    applier.apply(Patch.between(applier.baseline(), program));
                    assertThat(applier.drifted())
                            .as("no other program was here")
                            .isFalse();

                    machine.nft("add", "table", "ip", "other");
                    assertThat(applier.drifted()).as("a table of theirs").isFalse();

                    for (String damage :
                            List.of("flush ruleset", "delete table ip6 fairlead", "flush chain ip fairlead services")) {
                        machine.nft(damage.split(" "));
                        assertThat(applier.drifted()).as(damage).isTrue();
                        applier.apply(Patch.between(applier.baseline(), program));
                        assertThat(applier.drifted()).as("repaired").isFalse();
                        assertThat(applier.observe()).isEqualTo(program);
                    }
                }
            });
        }
    }

    @Test
    void a_refused_element_is_named() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            List<NftablesEntry> entries = new ArrayList<>(backend.compiler().foundation(NftablesMachine.NODE));
            backend.apply(Patch.between(NOTHING, Program.of(entries)));
            List<NftablesEntry> rows = NftablesCompiler.entries(List.of(service(1, 3)));
            backend.apply(new Patch<>(rows, List.of(), List.of()));

            NftablesEntry third = rows.getLast();
            assertThatExceptionOfType(ApplyException.class)
                    .isThrownBy(() -> backend.apply(new Patch<>(List.of(third), List.of(), List.of())))
                    .withMessageContaining(third.toString())
                    .withMessageContaining("EEXIST");
        }
    }

    @Test
    void to_ask_for_support_leaves_no_trace() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            assertThat(backend.support()).isEqualTo(new Support.Supported());
            assertThat(machine.leftovers()).isEmpty();

            Program<NftablesEntry> program = new RandomRows(25).steps(10).program(backend);
            backend.apply(Patch.between(NOTHING, program));
            assertThat(backend.support()).isEqualTo(new Support.Supported());
            assertThat(backend.observe()).isEqualTo(program);
        }
    }

    @Test
    void thousands_of_elements_are_applied_and_observed() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            Program<NftablesEntry> program = large(backend);

            backend.apply(Patch.between(NOTHING, program));

            assertThat(backend.observe()).isEqualTo(program);
        }
    }

    @Test
    void what_is_left_of_tables_that_came_in_parts_is_completed() {
        try (NftablesMachine machine = new NftablesMachine();
                Backend<NftablesEntry> backend = machine.open()) {
            Program<NftablesEntry> program = large(backend);
            List<Patch<NftablesEntry>> parts = Parts.of(Patch.between(NOTHING, program));
            assertThat(parts).hasSizeGreaterThan(3);

            parts.subList(0, 2).forEach(backend::apply); // and then the process was killed
            backend.apply(Patch.between(backend.observe(Extent.BASELINE), program));

            assertThat(backend.observe()).isEqualTo(program);
        }
    }

    private static Program<NftablesEntry> large(Backend<NftablesEntry> backend) {
        List<NftablesEntry> entries = new ArrayList<>(backend.compiler().foundation(NftablesMachine.NODE));
        IntStream.range(0, 3_000).forEach(i -> entries.addAll(NftablesCompiler.entries(List.of(service(i, 5)))));
        return Program.of(entries);
    }

    private static Forwarding service(int number, int endpoints) {
        Ip vip = Ip.parse("10.96.0.0").plus(number);
        ServicePortName name =
                new ServicePortName(new NamespacedName("default", "service-" + number), "http", Protocol.TCP);
        List<Target> targets = IntStream.range(0, endpoints)
                .mapToObj(i -> new Target(new IpPort(Ip.parse("10.244.0.1").plus(i), 8080), false))
                .toList();
        Frontend frontend = new Frontend.VirtualAddress(vip, Protocol.TCP, 80);
        return Forwarding.of(frontend, name, new Verdict.SendTo(targets), Masquerade.OFF_CLUSTER);
    }
}
