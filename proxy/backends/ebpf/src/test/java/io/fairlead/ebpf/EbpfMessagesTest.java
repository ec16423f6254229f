package io.fairlead.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfEntry.Element;
import io.fairlead.ebpf.EbpfEntry.Endpoint;
import io.fairlead.ebpf.EbpfEntry.Led;
import io.fairlead.ebpf.EbpfEntry.Local;
import io.fairlead.ebpf.EbpfEntry.Member;
import io.fairlead.ebpf.EbpfEntry.Name;
import io.fairlead.kernel.BpfHook;
import io.fairlead.kernel.BpfMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class EbpfMessagesTest {
    private static final AddressKey FOUR = new AddressKey(IpPort.parse("10.96.0.10:80"), Protocol.TCP);
    private static final AddressKey SIX = new AddressKey(new IpPort(Ip.parse("fd00:96::10"), 53), Protocol.UDP);

    static Stream<Element> elements() {
        return Stream.of(
                new Led(FOUR, -2, 3, false, true, false),
                new Led(SIX, 2, 3, false, false, true),
                Led.nowhere(SIX),
                new Endpoint(Long.MIN_VALUE, 70_000, FOUR),
                new Member(5, SIX),
                new Local(5, Ip.parse("10.244.1.2")),
                new Local(5, Ip.parse("fd00:244::2")),
                new Name(FOUR, "default/web:http"));
    }

    @ParameterizedTest
    @MethodSource("elements")
    void what_is_encoded_is_decoded_as_it_was(Element element) {
        EbpfTable table = element.table();
        byte[] key = EbpfMessages.keys(table, List.of(element));
        byte[] value = EbpfMessages.values(table, List.of(element));
        assertThat(key).hasSize(table.keySize());
        assertThat(value).hasSize(table.valueSize());
        assertThat(EbpfMessages.decode(table, key, value)).isEqualTo(element);
    }

    @Test
    void an_ipv4_address_stands_as_a_mapped_one_and_a_port_in_network_order() {
        assertThat(HexFormat.of().formatHex(EbpfMessages.keys(EbpfTable.SERVICE, List.of(Led.nowhere(FOUR)))))
                .isEqualTo("00000000000000000000ffff0a60000a" + "0050" + "06" + "00");
    }

    @Test
    void a_name_that_is_too_long_loses_its_end() {
        Name name = new Name(FOUR, "n".repeat(300));
        byte[] value = EbpfMessages.values(EbpfTable.NAME, List.of(name));
        assertThat(value).hasSize(192).endsWith((byte) 0);
    }

    @ParameterizedTest
    @EnumSource(EbpfTable.class)
    void the_programs_have_a_map_of_the_same_sizes(EbpfTable table) {
        BpfMap.Shape shape =
                Objects.requireNonNull(EbpfObject.shipped().content().maps().get(table.toString()));
        assertThat(shape.keySize()).isEqualTo(table.keySize());
        assertThat(shape.valueSize()).isEqualTo(table.valueSize());
    }

    @ParameterizedTest
    @EnumSource(BpfHook.class)
    void there_is_a_program_for_every_hook(BpfHook hook) {
        assertThat(EbpfObject.shipped().content().programs())
                .anySatisfy(code -> assertThat(BpfHook.find(code.section())).contains(hook));
    }
}
