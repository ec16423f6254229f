package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Hook;
import io.fairlead.nftables.NftablesEntry.Table;
import io.fairlead.nftables.NftablesMessages.Transaction;
import io.fairlead.testkit.RandomRows;
import io.fairlead.testkit.Scenario;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NftablesMessagesTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", Scenario.POD_NETWORKS);
    private static final Program<NftablesEntry> NOTHING = Program.of(List.of());

    @Test
    void every_entry_reads_back_as_it_was_written() {
        Program<NftablesEntry> program = Program.of(new NftablesCompiler().sample(NODE));

        Program<NftablesEntry> decoded = Program.of(Decoded.entries(encode(NOTHING, program)));

        assertThat(decoded.text()).isEqualTo(program.text());
        assertThat(decoded).isEqualTo(program);
    }

    @Test
    void random_programs_read_back_as_they_were_written() {
        try (NftablesBackend backend = NftablesBackend.open(NODE)) {
            RandomRows rows = new RandomRows(11);
            for (int i = 0; i < 20; i++) {
                Program<NftablesEntry> program = rows.steps(5).program(backend);
                assertThat(Program.of(Decoded.entries(encode(NOTHING, program))))
                        .isEqualTo(program);
            }
        }
    }

    @Test
    void what_others_refer_to_is_made_first_and_removed_last() {
        Program<NftablesEntry> program = Program.of(new NftablesCompiler().sample(NODE));

        assertThat(Decoded.kinds(encode(NOTHING, program)))
                .containsExactly("NEWTABLE", "NEWSET", "NEWCHAIN", "NEWRULE", "NEWSETELEM");
        assertThat(Decoded.kinds(encode(program, NOTHING)))
                .containsExactly("DELSETELEM", "DELRULE", "DELCHAIN", "DELSET", "DELTABLE");
    }

    @Test
    void a_changed_element_is_deleted_before_it_is_added() {
        Program<NftablesEntry> before = Program.of(List.of(service(1, 3)));
        Program<NftablesEntry> after = Program.of(List.of(service(1, 4)));

        assertThat(Decoded.kinds(encode(before, after))).containsExactly("DELSETELEM", "NEWSETELEM");
    }

    @Test
    void a_changed_chain_is_emptied_and_filled_but_stays() {
        Chain before = new Chain(Family.IPV6, "n99", Hook.NONE, List.of(Rule.of(new Expression.Drop())));
        Chain after = before.with(List.of(Rule.of(new Expression.Goto("n-first"))));

        assertThat(Decoded.kinds(encode(Program.of(List.of(before)), Program.of(List.of(after)))))
                .containsExactly("DELRULE", "NEWRULE");
    }

    @Test
    void a_table_of_unknown_content_is_replaced_as_a_whole() {
        Program<NftablesEntry> unknown = Program.of(List.of(new Table(Family.IPV4, false)));
        Program<NftablesEntry> wanted = Program.of(List.of(new Table(Family.IPV4, true), service(1, 3)));

        assertThat(Decoded.kinds(encode(unknown, wanted))).containsExactly("DELTABLE", "NEWTABLE", "NEWSETELEM");
    }

    @Test
    void many_elements_are_split_into_messages_below_64_kib() {
        List<Element> elements =
                IntStream.range(0, 5_000).mapToObj(i -> service(i, 3)).toList();

        Transaction transaction = encode(NOTHING, Program.of(List.copyOf(elements)));

        assertThat(Decoded.sizes(transaction)).hasSizeGreaterThan(3).allMatch(size -> size < 65_536);
        assertThat(Decoded.entries(transaction)).hasSize(5_000);
    }

    @Test
    void a_refusal_is_told_with_the_element_at_fault() {
        Transaction transaction = encode(NOTHING, Program.of(List.of(service(1, 3), service(2, 3), service(3, 3))));
        int offset = Decoded.offsetOfElement(transaction, 1);

        assertThat(transaction.explain(new NetfilterRefusal(2, Errno.EEXIST, offset, "")))
                .contains("element ip fairlead service { 10.96.0.2 . tcp . 80")
                .contains("EEXIST");
        assertThat(transaction.explain(new NetfilterRefusal(2, Errno.ENOENT, 0, "")))
                .as("the kernel does not tell where")
                .contains("10.96.0.1");
        assertThat(transaction.explain(new NetfilterRefusal(1, Errno.EPERM, 0, "")))
                .contains("the transaction")
                .contains("EPERM");
    }

    private static Transaction encode(Program<NftablesEntry> from, Program<NftablesEntry> to) {
        return new NftablesMessages(Layout.TABLE, SupportReader.OWNER | SupportReader.PERSIST)
                .encode(Patch.between(from, to).sorted());
    }

    private static Element service(int number, int plan) {
        Bytes key = Bytes.NONE
                .and(Ip.parse("10.96.0.0").plus(number))
                .and(Protocol.TCP)
                .andPort(80);
        Content content = Bytes.number(plan);
        return new Element(Family.IPV4, SetShape.SERVICE, key, content, "default/web:http");
    }
}
