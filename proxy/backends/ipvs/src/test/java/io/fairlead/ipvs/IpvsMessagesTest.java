package io.fairlead.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.ipvs.IpvsMessages.Operation;
import io.fairlead.kernel.GenericFamily;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written to the kernel is what would be read from it.
final class IpvsMessagesTest {
    private static final int NETLINK_HEADER = 16;
    private static final IpvsMessages MESSAGES = new IpvsMessages(new GenericFamily(33, 1));

    static Stream<ServerAddress> places() {
        return Stream.of(
                new ServerAddress.At(Ip.parse("10.96.0.10"), Protocol.TCP, 80),
                new ServerAddress.At(Ip.parse("10.96.0.10"), Protocol.SCTP, 3868),
                new ServerAddress.At(Ip.parse("fd00:96::10"), Protocol.UDP, 53),
                new ServerAddress.Marked(Family.IPV4, 0x4002b580),
                new ServerAddress.Marked(Family.IPV6, 0x8000_0001));
    }

    @ParameterizedTest
    @MethodSource("places")
    void a_virtual_server_is_read_as_it_was_written(ServerAddress place) {
        for (VirtualServer server : List.of(
                new VirtualServer(place, Scheduling.of("rr"), 0),
                new VirtualServer(place, Scheduling.of("mh"), 10800),
                new VirtualServer(place, Scheduling.of("sh"), 1))) {
            NetlinkWriter writer = new NetlinkWriter();
            MESSAGES.write(writer, Operation.ADD, server);
            assertThat(IpvsMessages.virtualServer(attributes(writer))).isEqualTo(Optional.of(server));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void a_real_server_is_read_as_it_was_written(ServerAddress place) {
        Ip ip = Ip.parse(place.family() == Family.IPV4 ? "10.244.1.2" : "fd00:244::2");
        RealServer server = new RealServer(place, new IpPort(ip, 65535), 7);
        NetlinkWriter writer = new NetlinkWriter();
        MESSAGES.write(writer, Operation.CHANGE, server);
        assertThat(IpvsMessages.realServer(place, attributes(writer)).server()).isEqualTo(server);
    }

    @Test
    void the_rules_of_the_foundation_are_read_as_they_were_written() {
        NodeFacts node = NodeFacts.of("node-a", List.of(Cidr.parse("10.244.0.0/16")))
                .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16")));
        Program<IpvsEntry> foundation = Program.of(new IpvsCompiler(node, "rr").foundation(node));
        Patch<IpvsEntry> all = Patch.between(Program.of(List.of()), foundation);
        for (Family family : Family.values()) {
            String saved = RuleText.additions(all, family).replace("\n-I ", "\n-A ");
            Set<IpvsEntry> rules = Set.copyOf(RuleText.parse(family, saved));
            assertThat(rules)
                    .hasSizeGreaterThan(20)
                    .isSubsetOf(foundation.entries().toList());
            assertThat(foundation
                            .entries()
                            .filter(entry -> entry.toString().startsWith(family == Family.IPV4 ? "ip " : "ip6 "))
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(rules);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 14, 15, 28, 29, 30, 31})
    void marks_differ_and_tell_tcp_apart_whatever_bit_masquerades(int bit) {
        Marks marks = new Marks(bit);
        int tcp = marks.nodePort(Protocol.TCP, 30080);
        int udp = marks.nodePort(Protocol.UDP, 30080);
        assertThat(Set.of(tcp, udp, marks.nodePort(Protocol.TCP, 30081), marks.dropped()))
                .hasSize(4)
                .allSatisfy(mark -> assertThat(mark & marks.masquerade()).isZero())
                .allSatisfy(mark -> assertThat(mark & marks.tag()).isEqualTo(marks.tag()));
        assertThat(marks.isTcp(tcp | marks.masquerade())).isTrue();
        assertThat(marks.isTcp(udp | marks.masquerade())).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void no_name_of_a_set_is_too_long_or_twice(Family family) {
        assertThat(SetName.all(family).map(SetName::toString).toList())
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).hasSizeLessThan(32));
    }

    @Test
    void a_kernel_that_keeps_clients_waiting_is_told_not_to() {
        SysctlApplier.Switch reuse = new SysctlApplier.Switch("ipv4/vs/conn_reuse_mode", "0");
        assertThat(SysctlApplier.wanted("5.4.0-42-generic", IpvsOptions.DEFAULT))
                .contains(reuse);
        assertThat(SysctlApplier.wanted("6.1.176", IpvsOptions.DEFAULT)).doesNotContain(reuse);
        assertThat(SysctlApplier.wanted("6.1.176", IpvsOptions.DEFAULT.withStrictArp(true)))
                .contains(new SysctlApplier.Switch("ipv4/conf/all/arp_ignore", "1"));
    }

    private static NetlinkAttributes attributes(NetlinkWriter writer) {
        byte[] bytes = writer.toBytes();
        return NetlinkAttributes.of(bytes, NETLINK_HEADER + GenericFamily.HEADER, bytes.length);
    }
}
