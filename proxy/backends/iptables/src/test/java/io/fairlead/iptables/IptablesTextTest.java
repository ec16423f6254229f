package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.iptables.IptablesText.Section;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class IptablesTextTest {
    private static final Rule ONE = new Rule("-d 10.96.0.1/32 -j KUBE-SVC-A");
    private static final Rule TWO = new Rule("-d 10.96.0.2/32 -j KUBE-SVC-B");
    private static final Rule LAST = Match.ANY.comment(Rule.last("node ports")).then("KUBE-NODEPORTS");
    private static final Program<IptablesEntry> NOTHING = Program.of(List.of());

    @Test
    void chains_are_there_before_rules_lead_to_them_and_lines_stand_in_front() {
        assertThat(text(
                        NOTHING,
                        Program.of(List.of(
                                new Chain(nat("KUBE-SERVICES"), List.of(LAST)),
                                new Chain(nat("KUBE-SVC-A"), List.of(new Rule("-j KUBE-SEP-A"))),
                                new Chain(nat("KUBE-SEP-A"), List.of()),
                                new Line(nat("KUBE-SERVICES"), ONE),
                                new Line(nat("KUBE-SERVICES"), TWO),
                                new Line(nat("PREROUTING"), new Rule("-j KUBE-SERVICES"))))))
                .isEqualTo("""
                    *nat
                    :KUBE-SEP-A - [0:0]
                    :KUBE-SERVICES - [0:0]
                    :KUBE-SVC-A - [0:0]
                    -A KUBE-SERVICES -m comment --comment "node ports; NOTE: this must be the last rule in this chain" -j KUBE-NODEPORTS
                    -A KUBE-SVC-A -j KUBE-SEP-A
                    -I PREROUTING -j KUBE-SERVICES
                    -I KUBE-SERVICES -d 10.96.0.2/32 -j KUBE-SVC-B
                    -I KUBE-SERVICES -d 10.96.0.1/32 -j KUBE-SVC-A
                    COMMIT
                    """);
    }

    @Test
    void only_what_changed_is_written_and_what_is_removed_goes_last() {
        Chain before = new Chain(nat("KUBE-SVC-A"), List.of(new Rule("-j KUBE-SEP-A")));
        Chain after = new Chain(nat("KUBE-SVC-A"), List.of(new Rule("-j KUBE-SEP-B")));
        Chain same = new Chain(nat("KUBE-SVC-C"), List.of(new Rule("-j KUBE-SEP-C")));
        assertThat(text(
                        Program.of(List.of(before, same, new Chain(nat("KUBE-SEP-A"), List.of()))),
                        Program.of(List.of(after, same, new Chain(nat("KUBE-SEP-B"), List.of())))))
                .isEqualTo("""
                    *nat
                    :KUBE-SEP-B - [0:0]
                    :KUBE-SVC-A - [0:0]
                    -A KUBE-SVC-A -j KUBE-SEP-B
                    -F KUBE-SEP-A
                    -X KUBE-SEP-A
                    COMMIT
                    """);
    }

    @Test
    void a_chain_that_was_found_empty_is_filled_and_need_not_be_emptied() {
        assertThat(text(
                        Program.of(List.of(new Chain(nat("KUBE-SVC-A"), List.of()))),
                        Program.of(List.of(new Chain(nat("KUBE-SVC-A"), List.of(new Rule("-j KUBE-SEP-A")))))))
                .isEqualTo("""
                    *nat
                    -A KUBE-SVC-A -j KUBE-SEP-A
                    COMMIT
                    """);
    }

    @Test
    void what_is_written_ahead_is_declared_middle_first_and_filled_in_pieces() {
        List<IptablesEntry> chains = List.of(
                new Chain(nat("KUBE-SEP-A"), List.of(ONE, TWO)),
                new Chain(nat("KUBE-SEP-B"), List.of(ONE)),
                new Chain(nat("KUBE-SEP-C"), List.of(ONE)),
                new Chain(nat("KUBE-SEP-D"), List.of()),
                new Chain(nat("KUBE-SEP-E"), List.of(TWO)));
        List<Section> sections = IptablesText.formatAhead(Patch.between(NOTHING, Program.of(chains)), 2);
        assertThat(sections).hasSize(1);
        assertThat(sections.getFirst().transactions()).hasSize(4);
        assertThat(sections.getFirst().text()).isEqualTo("""
            *nat
            :KUBE-SEP-C - [0:0]
            :KUBE-SEP-E - [0:0]
            :KUBE-SEP-D - [0:0]
            :KUBE-SEP-B - [0:0]
            :KUBE-SEP-A - [0:0]
            COMMIT
            *nat
            -A KUBE-SEP-A -d 10.96.0.1/32 -j KUBE-SVC-A
            -A KUBE-SEP-A -d 10.96.0.2/32 -j KUBE-SVC-B
            COMMIT
            *nat
            -A KUBE-SEP-B -d 10.96.0.1/32 -j KUBE-SVC-A
            -A KUBE-SEP-C -d 10.96.0.1/32 -j KUBE-SVC-A
            COMMIT
            *nat
            -A KUBE-SEP-E -d 10.96.0.2/32 -j KUBE-SVC-B
            COMMIT
            """);
    }

    @Test
    void a_service_that_goes_takes_its_line_out_of_the_shared_chain_and_no_other() {
        Chain services = new Chain(nat("KUBE-SERVICES"), List.of(LAST));
        assertThat(text(
                        Program.of(List.of(
                                services, new Line(nat("KUBE-SERVICES"), ONE), new Line(nat("KUBE-SERVICES"), TWO))),
                        Program.of(List.of(services, new Line(nat("KUBE-SERVICES"), TWO)))))
                .isEqualTo("""
                    *nat
                    -D KUBE-SERVICES -d 10.96.0.1/32 -j KUBE-SVC-A
                    COMMIT
                    """);
    }

    @Test
    void each_table_and_family_is_a_transaction_of_its_own_and_filter_comes_first() {
        List<IptablesEntry> entries = List.of(
                new Chain(nat("KUBE-SVC-A"), List.of()),
                new Chain(new ChainKey(Family.IPV6, Table.NAT, "KUBE-SVC-A"), List.of()),
                new Chain(new ChainKey(Family.IPV4, Table.FILTER, "KUBE-FORWARD"), List.of()));
        assertThat(IptablesText.format(Patch.between(NOTHING, Program.of(entries)), Set.of()))
                .extracting(section -> section.table() + " " + section.family())
                .containsExactly("filter IPv4", "nat IPv4", "nat IPv6");
    }

    @Test
    void the_inverse_of_a_patch_leads_back() {
        Program<IptablesEntry> one = Program.of(List.of(new Chain(nat("KUBE-SVC-A"), List.of(ONE))));
        Program<IptablesEntry> other =
                Program.of(List.of(new Chain(nat("KUBE-SVC-A"), List.of(TWO)), new Line(nat("OUTPUT"), ONE)));
        assertThat(IptablesText.inverse(Patch.between(one, other)).sorted())
                .isEqualTo(Patch.between(other, one).sorted());
    }

    @Test
    void what_is_ours_is_found_among_what_is_not() {
        String saved = """
            # Generated by iptables-nft-save v1.8.9
            *nat
            :PREROUTING ACCEPT [12:720]
            :DOCKER - [0:0]
            :KUBE-KUBELET-CANARY - [0:0]
            :KUBE-SERVICES - [0:0]
            :KUBE-SVC-A - [0:0]
            -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
            -A DOCKER -i docker0 -j RETURN
            -A KUBE-SERVICES -d 10.96.0.1/32 -j KUBE-SVC-A
            -A KUBE-SERVICES -m comment --comment "node ports; NOTE: this must be the last rule in this chain" -j KUBE-NODEPORTS
            -A KUBE-SVC-A -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-A
            COMMIT
            *raw
            :KUBE-SVC-A - [0:0]
            COMMIT
            """;
        assertThat(IptablesText.parse(Family.IPV4, saved).entries())
                .containsExactlyInAnyOrder(
                        new Line(
                                nat("PREROUTING"),
                                new Rule("-m comment --comment \"kubernetes service portals\" -j KUBE-SERVICES")),
                        new Chain(nat("KUBE-SERVICES"), List.of(LAST)),
                        new Line(nat("KUBE-SERVICES"), ONE),
                        new Chain(
                                nat("KUBE-SVC-A"),
                                List.of(new Rule(
                                        "-m statistic --mode random --probability 0.3333333333 -j KUBE-SEP-A"))));
    }

    @Test
    void rules_of_others_that_lead_to_our_chains_are_not_ours() {
        String saved = """
            *nat
            :PREROUTING ACCEPT [12:720]
            :CNI-DN-b2fd - [0:0]
            :KUBE-MARK-MASQ - [0:0]
            :KUBE-SERVICES - [0:0]
            :KUBE-SVC-A - [0:0]
            -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A PREROUTING -p tcp -m tcp --dport 99 -j KUBE-MARK-MASQ
            -A PREROUTING -i wg0 -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
            -A CNI-DN-b2fd -s 10.244.1.0/24 -p tcp -m tcp --dport 8080 -g KUBE-SVC-A
            -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
            COMMIT
            """;
        assertThat(IptablesText.parse(Family.IPV4, saved))
                .isEqualTo(new SavedTables.Found(
                        List.of(
                                new Line(
                                        nat("PREROUTING"),
                                        new Rule("-m comment --comment \"kubernetes service portals\" -j"
                                                + " KUBE-SERVICES")),
                                new Chain(
                                        nat("KUBE-MARK-MASQ"), List.of(new Rule("-j MARK --set-xmark 0x4000/0x4000")))),
                        Set.of(nat("KUBE-MARK-MASQ"), nat("KUBE-SERVICES"), nat("KUBE-SVC-A"))));
    }

    @Test
    void a_chain_that_others_use_is_emptied_and_stays() {
        Program<IptablesEntry> both = Program.of(List.of(
                new Chain(nat("KUBE-MARK-MASQ"), List.of(new Rule("-j MARK --set-xmark 0x4000/0x4000"))),
                new Chain(nat("KUBE-SVC-A"), List.of())));
        assertThat(IptablesText.format(Patch.between(both, NOTHING), Set.of(nat("KUBE-MARK-MASQ"))))
                .extracting(Section::text)
                .containsExactly("""
                    *nat
                    -F KUBE-MARK-MASQ
                    -F KUBE-SVC-A
                    -X KUBE-SVC-A
                    COMMIT
                    """);
    }

    @Test
    void a_probability_is_found_again_for_every_number_of_endpoints() {
        for (int count = 1; count <= 10_000; count++) {
            double kept = Math.rint(1.0 / count * (1L << 31)) / (1L << 31); // as the kernel keeps it
            Rule printed = Rule.parse("-m statistic --mode random --probability %.11f".formatted(kept));
            assertThat(printed.text()).endsWith(Rule.oneOutOf(count));
        }
    }

    @Test
    void a_line_of_a_section_can_be_named() {
        Section section = new Section(Family.IPV4, Table.NAT, List.of("*nat\n-F KUBE-SEP-A\nCOMMIT\n"));
        assertThat(section.line(2)).isEqualTo("-F KUBE-SEP-A");
        assertThat(section.line(9)).isEmpty();
    }

    private static ChainKey nat(String chain) {
        return new ChainKey(Family.IPV4, Table.NAT, chain);
    }

    private static String text(Program<IptablesEntry> from, Program<IptablesEntry> to) {
        List<Section> sections = IptablesText.format(Patch.between(from, to), Set.of());
        assertThat(sections).hasSize(1);
        return sections.getFirst().text();
    }
}
