package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import org.junit.jupiter.api.Test;

final class ObjectionsTest {
    @Test
    void a_family_without_tools_is_left_out_with_one_note() {
        Objections objections =
                Objections.of(family -> family == Family.IPV6 ? "ip6tables-nft-restore is not installed" : "");
        assertThat(objections.usable()).containsExactly(Family.IPV4);
        assertThat(objections.notes())
                .containsExactly(
                        "mode=iptables family=IPv6 left=out reason=\"ip6tables-nft-restore is not installed\"");
    }

    @Test
    void where_all_can_be_programmed_or_none_there_is_no_note() {
        assertThat(Objections.of(_ -> "").notes()).isEmpty();
        assertThat(Objections.of(_ -> "").usable()).containsExactly(Family.values());
        assertThat(Objections.of(_ -> "no tools").notes()).isEmpty();
    }
}
