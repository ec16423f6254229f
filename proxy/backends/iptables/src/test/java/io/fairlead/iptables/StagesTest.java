package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.iptables.IptablesText.Stages;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StagesTest {
    private static final Rule ONE = new Rule("-s 10.244.0.1/32 -j RETURN");
    private static final Rule TWO = new Rule("-s 10.244.0.2/32 -j RETURN");

    @Test
    void chains_that_are_new_or_were_found_empty_are_filled_ahead() {
        Chain added = nat("KUBE-SEP-A", ONE, TWO);
        Patch.Change<IptablesEntry> filled = new Patch.Change<>(nat("KUBE-SEP-B"), nat("KUBE-SEP-B", ONE));
        Stages stages = Stages.of(new Patch<>(List.of(added), List.of(filled), List.of()), 2);
        assertThat(stages.ahead()).isEqualTo(new Patch<>(List.of(added), List.of(filled), List.of()));
        assertThat(stages.rest().isEmpty()).isTrue();
    }

    @Test
    void what_packets_are_led_through_is_never_ahead() {
        Chain added = nat("KUBE-SEP-A", ONE, TWO);
        Chain shared = nat("KUBE-NODEPORTS", ONE);
        Line jump = new Line(new ChainKey(Family.IPV4, Table.NAT, "PREROUTING"), new Rule("-j KUBE-SERVICES"));
        Patch.Change<IptablesEntry> refilled = new Patch.Change<>(nat("KUBE-SVC-A", ONE), nat("KUBE-SVC-A", TWO));
        Patch.Change<IptablesEntry> emptyAndShared =
                new Patch.Change<>(nat("KUBE-SERVICES"), nat("KUBE-SERVICES", ONE));
        Chain removed = nat("KUBE-SEP-B", ONE);
        Stages stages = Stages.of(
                new Patch<>(List.of(added, shared, jump), List.of(refilled, emptyAndShared), List.of(removed)), 1);
        assertThat(stages.ahead()).isEqualTo(new Patch<>(List.of(added), List.of(), List.of()));
        assertThat(stages.rest())
                .isEqualTo(new Patch<>(List.of(shared, jump), List.of(refilled, emptyAndShared), List.of(removed)));
    }

    @Test
    void a_small_patch_stays_one_transaction() {
        Patch<IptablesEntry> patch = new Patch<>(List.of(nat("KUBE-SEP-A", ONE, TWO)), List.of(), List.of());
        Stages stages = Stages.of(patch, 2);
        assertThat(stages.ahead().isEmpty()).isTrue();
        assertThat(stages.rest()).isEqualTo(patch);
    }

    private static Chain nat(String chain, Rule... rules) {
        return new Chain(new ChainKey(Family.IPV4, Table.NAT, chain), List.of(rules));
    }
}
