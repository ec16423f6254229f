package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.Fingerprint.Generation;
import io.fairlead.iptables.Fingerprint.Sizes;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FingerprintTest {
    private static final Slot NAT = new Slot(Family.IPV4, Table.NAT);
    private static final Rule RULE = new Rule("-j RETURN");
    private static final Growth NONE = new Growth(Map.of());

    @Test
    void a_flush_between_our_look_and_our_write_leaves_fewer_rules_than_we_expect() {
        Patch<IptablesEntry> patch = new Patch<>(List.of(chain("KUBE-SEP-A", 2)), List.of(), List.of());
        Growth growth = Growth.of(patch, Set.of());
        assertThat(rules(1000).leadsTo(rules(1004), 1, growth)).isTrue();
        assertThat(rules(1000).leadsTo(rules(4 + 604), 1, growth)).isFalse();
        assertThat(rules(1000).leadsTo(new Sizes(Map.of()), 1, growth)).isFalse();
    }

    @Test
    void nf_tables_counts_transactions_whatever_they_hold() {
        assertThat(new Generation(7).leadsTo(new Generation(9), 2, NONE)).isTrue();
        assertThat(new Generation(7).leadsTo(new Generation(10), 2, NONE)).isFalse();
    }

    @Test
    void a_chain_grows_by_its_rules_and_two_more_unless_it_is_there_already() {
        Line line = new Line(place("KUBE-SERVICES"), RULE);
        Patch<IptablesEntry> patch = new Patch<>(
                List.of(chain("KUBE-SEP-A", 2), chain("KUBE-MARK-MASQ", 1), line),
                List.of(new Patch.Change<>(chain("KUBE-SVC-A", 5), chain("KUBE-SVC-A", 4))),
                List.of());
        Set<ChainKey> used = Set.of(place("KUBE-MARK-MASQ"));
        assertThat(Growth.of(patch, used).in(NAT)).isEqualTo(4 + 1 + 1 - 1);
        assertThat(Growth.of(IptablesText.inverse(patch), used).in(NAT)).isEqualTo(-5);
        assertThat(Growth.of(patch, used).in(new Slot(Family.IPV6, Table.NAT))).isZero();
    }

    private static Sizes rules(int count) {
        return new Sizes(Map.of(NAT, new Fingerprint.Size(count, 200 * count)));
    }

    private static Chain chain(String name, int rules) {
        return new Chain(place(name), Collections.nCopies(rules, RULE));
    }

    private static ChainKey place(String chain) {
        return new ChainKey(Family.IPV4, Table.NAT, chain);
    }
}
