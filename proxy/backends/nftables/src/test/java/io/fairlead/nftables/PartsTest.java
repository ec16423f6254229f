package io.fairlead.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PartsTest {
    private static final List<NftablesEntry> SAMPLE = new NftablesCompiler().sample(NftablesMachine.NODE);
    private static final NodeFacts DUAL_STACK =
            NftablesMachine.NODE.withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));
    private static final List<NftablesEntry> LARGE = large();

    @Test
    void a_small_patch_is_one_transaction() {
        Patch<NftablesEntry> patch = new Patch<>(SAMPLE, List.of(), List.of());

        assertThat(Parts.of(patch)).containsExactly(patch);
    }

    @Test
    void large_new_tables_come_in_parts_that_are_all_of_them() {
        List<Patch<NftablesEntry>> parts = Parts.of(new Patch<>(LARGE, List.of(), List.of()));

        assertThat(parts).hasSizeGreaterThan(3).allMatch(part -> part.size() <= 8_000);
        Set<NftablesEntry> all = new HashSet<>();
        for (Patch<NftablesEntry> part : parts) {
            all.addAll(part.added());
            part.changed()
                    .forEach(change -> assertThat(all.remove(change.before())).isTrue());
            part.changed().forEach(change -> all.add(change.after()));
        }
        assertThat(all.equals(Set.copyOf(LARGE))).isTrue(); // AssertJ would compare each with each
    }

    @Test
    void a_service_comes_whole() {
        List<Patch<NftablesEntry>> parts = Parts.of(new Patch<>(LARGE, List.of(), List.of()));

        Map<String, Integer> partOf = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            for (NftablesEntry entry : parts.get(i).added()) {
                if (entry instanceof Element element && !element.comment().isEmpty()) {
                    assertThat(partOf.putIfAbsent(element.comment(), i)).isIn(null, i);
                }
            }
        }
        assertThat(new HashSet<>(partOf.values())).hasSizeGreaterThan(2);
    }

    @Test
    void nothing_is_refused_or_discarded_as_unknown_before_the_last_part() {
        List<Patch<NftablesEntry>> parts = new ArrayList<>(Parts.of(new Patch<>(LARGE, List.of(), List.of())));

        Patch<NftablesEntry> last = parts.removeLast();
        assertThat(last.added()).isNotEmpty().allMatch(PartsTest::isClusterIp);
        assertThat(last.changed())
                .hasSize(2)
                .allMatch(change -> discards(change.after()) && !discards(change.before()));
        assertThat(parts.stream().flatMap(part -> part.added().stream()))
                .noneMatch(PartsTest::isClusterIp)
                .noneMatch(entry -> entry instanceof Chain chain && chain.name().equals("services") && discards(chain));
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

    private static boolean isClusterIp(NftablesEntry entry) {
        return entry instanceof Element element && element.set() == SetShape.CLUSTER_IP;
    }

    private static boolean discards(NftablesEntry entry) {
        return entry.toString().contains("drop");
    }

    private static List<NftablesEntry> with(List<NftablesEntry> elements, NftablesEntry... others) {
        List<NftablesEntry> all = new ArrayList<>(elements);
        all.addAll(List.of(others));
        return all;
    }

    private static List<NftablesEntry> elements(int count) {
        return LARGE.stream().filter(Element.class::isInstance).limit(count).toList();
    }

    private static List<NftablesEntry> large() {
        List<NftablesEntry> entries = new ArrayList<>(new NftablesCompiler().foundation(DUAL_STACK));
        for (int i = 0; i < 4_000; i++) {
            Ip vip = Ip.parse("10.96.0.0").plus(i);
            ServicePortName name = new ServicePortName(new NamespacedName("default", "s" + i), "", Protocol.TCP);
            List<Target> targets = IntStream.range(1, 6)
                    .mapToObj(
                            pod -> new Target(new IpPort(Ip.parse("10.244.0.0").plus(pod), 80), false))
                    .toList();
            entries.addAll(NftablesCompiler.entries(List.of(Forwarding.of(
                    new Frontend.VirtualAddress(vip, Protocol.TCP, 80),
                    name,
                    new Verdict.SendTo(targets),
                    Masquerade.OFF_CLUSTER))));
        }
        return entries.stream().distinct().toList();
    }
}
