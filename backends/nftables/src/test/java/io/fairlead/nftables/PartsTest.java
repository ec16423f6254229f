package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Hook;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PartsTest {
    private static final List<NftablesEntry> SAMPLE = NftablesCompiler.sample(NamespaceMachine.NODE);

    @Test
    void a_small_patch_is_one_transaction() {
        Patch<NftablesEntry> patch = new Patch<>(SAMPLE, List.of(), List.of());

        assertThat(Parts.of(patch)).containsExactly(patch);
    }

    @Test
    void large_new_tables_come_in_parts_that_are_all_of_them() {
        List<NftablesEntry> all = new ArrayList<>(SAMPLE);
        all.addAll(elements(20_000));

        List<Patch<NftablesEntry>> parts = Parts.of(new Patch<>(all, List.of(), List.of()));

        assertThat(parts).hasSizeGreaterThan(3).allMatch(part -> part.size() <= 8_000);
        assertThat(parts.stream().flatMap(part -> part.added().stream())).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void no_packet_enters_before_the_last_part() {
        List<NftablesEntry> all = new ArrayList<>(SAMPLE);
        all.addAll(elements(20_000));

        List<Patch<NftablesEntry>> parts = Parts.of(new Patch<>(all, List.of(), List.of()));

        assertThat(parts.removeLast().added()).isNotEmpty().allMatch(PartsTest::isEntrance);
        assertThat(parts.stream().flatMap(part -> part.added().stream())).noneMatch(PartsTest::isEntrance);
    }

    @Test
    void what_changes_tables_that_are_there_is_one_transaction_however_large() {
        List<NftablesEntry> elements = elements(20_000);
        Table one = new Table(Family.IPV4, true);
        Table other = new Table(Family.IPV6, true);
        var before = new Table(Family.IPV6, false);

        assertThat(Parts.of(new Patch<>(elements, List.of(), List.of()))).hasSize(1);
        assertThat(Parts.of(new Patch<>(with(elements, one), List.of(new Patch.Change<>(before, other)), List.of())))
                .hasSize(1);
        assertThat(Parts.of(new Patch<>(with(elements, one, other), List.of(), List.of(SAMPLE.getLast()))))
                .hasSize(1);
    }

    private static boolean isEntrance(NftablesEntry entry) {
        return entry instanceof Chain chain && chain.hook() != Hook.NONE;
    }

    private static List<NftablesEntry> with(List<NftablesEntry> elements, NftablesEntry... others) {
        List<NftablesEntry> all = new ArrayList<>(elements);
        all.addAll(List.of(others));
        return all;
    }

    private static List<NftablesEntry> elements(int count) {
        Element sample = SAMPLE.stream()
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .findFirst()
                .orElseThrow();
        return IntStream.range(0, count).<NftablesEntry>mapToObj(_ -> sample).toList();
    }
}
