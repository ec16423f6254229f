package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NetlinkWriterTest {
    private static List<NetlinkMessage> parsed(byte[] bytes) {
        List<NetlinkMessage> messages = new ArrayList<>();
        NetlinkMessage.parse(bytes, messages);
        return messages;
    }

    @Test
    void a_message_is_header_family_header_and_padded_attributes() {
        byte[] bytes = new NetlinkWriter()
                .message(0x0a00, NetlinkWriter.CREATE, (byte) 2, (byte) 0, (byte) 0, (byte) 0)
                .text(1, "ab")
                .be32(2, 6)
                .toBytes();

        // length 36, type 0x0a00, flags CREATE|REQUEST, sequence 1, pid 0 | family | "ab\0" padded | 6 big endian
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("24000000000a01040100000000000000" + "02000000" + "0700010061620000" + "0800020000000006");
    }

    @Test
    void messages_are_numbered_from_one() {
        NetlinkWriter writer = new NetlinkWriter();
        writer.message(16, 0).message(17, 0).message(18, 0);

        assertThat(parsed(writer.toBytes()))
                .extracting(NetlinkMessage::type, NetlinkMessage::sequence)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(16, 1),
                        org.assertj.core.groups.Tuple.tuple(17, 2),
                        org.assertj.core.groups.Tuple.tuple(18, 3));
    }

    @Test
    void nested_attributes_read_back_as_they_were_written() {
        byte[] bytes = new NetlinkWriter()
                .message(1, 0)
                .open(5)
                .u32(1, 7)
                .open(2)
                .be64(3, 1L << 40)
                .close()
                .close()
                .text(6, "name")
                .toBytes();

        NetlinkAttributes attributes = parsed(bytes).getFirst().attributes(0);
        assertThat(attributes.nested(5).u32(1)).isEqualTo(7);
        assertThat(attributes.nested(5).nested(2).be64(3)).isEqualTo(1L << 40);
        assertThat(attributes.text(6)).isEqualTo("name");
        assertThat(attributes.find(9)).isEmpty();
    }

    @Test
    void the_buffer_grows_past_its_first_size() {
        NetlinkWriter writer = new NetlinkWriter();
        for (int i = 0; i < 10_000; i++) {
            writer.message(i, 0).bytes(1, new byte[17]);
        }

        assertThat(parsed(writer.toBytes()))
                .hasSize(10_000)
                .last()
                .extracting(NetlinkMessage::type)
                .isEqualTo(9_999);
    }

    @Test
    void a_nested_attribute_past_64_kib_is_a_bug_of_the_caller() {
        NetlinkWriter writer = new NetlinkWriter().message(1, 0).open(1);
        writer.bytes(1, new byte[40_000]).bytes(1, new byte[40_000]);

        assertThatIllegalStateException().isThrownBy(writer::close);
    }
}
