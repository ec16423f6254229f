package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NetfilterBatchTest {
    private static final int NFTABLES = 10;
    private static final int IPV4 = 2;

    private static List<NetlinkMessage> parsed(byte[] bytes) {
        List<NetlinkMessage> messages = new ArrayList<>();
        NetlinkMessage.parse(bytes, messages);
        return messages;
    }

    @Test
    void a_batch_stands_between_its_marks() {
        NetfilterBatch batch = new NetfilterBatch(NFTABLES);
        batch.message(0, NetlinkWriter.CREATE, IPV4).text(1, "t");
        assertThat(batch.sequence()).isEqualTo(2);
        batch.message(2, 0, IPV4).text(1, "t");

        List<NetlinkMessage> messages = parsed(batch.toBytes());
        assertThat(messages)
                .extracting(NetlinkMessage::type, NetlinkMessage::sequence)
                .containsExactly(tuple(0x10, 1), tuple(0x0a00, 2), tuple(0x0a02, 3), tuple(0x11, 4));
        // family 0, version 0, the subsystem in network byte order
        assertThat(messages.getFirst().payload()).containsExactly(0, 0, 0, NFTABLES);
        assertThat(messages.getLast().payload()).containsExactly(0, 0, 0, NFTABLES);
        assertThat(messages.get(1).payload()).startsWith(IPV4, 0, 0, 0);
        assertThat(messages.get(1).attributes(NetfilterBatch.HEADER).text(1)).isEqualTo("t");
    }

    @Test
    void a_batch_ends_once() {
        NetfilterBatch batch = new NetfilterBatch(NFTABLES);

        assertThat(batch.toBytes()).isEqualTo(batch.toBytes());
        assertThatIllegalStateException().isThrownBy(() -> batch.message(0, 0, IPV4));
    }

    @Test
    void a_request_is_one_message() {
        byte[] bytes =
                NetfilterBatch.request(NFTABLES, 1, NetlinkWriter.DUMP, IPV4).toBytes();

        // length 20, type 0x0a01, flags DUMP|REQUEST, sequence 1, pid 0 | family
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("14000000010a01030100000000000000" + "02000000");
    }

    @Test
    void a_refusal_says_which_message_and_where_in_it() {
        // -ENOENT, the header of the message at fault (sequence 7), NLMSGERR_ATTR_OFFS 44, NLMSGERR_ATTR_MSG "gone"
        byte[] payload = HexFormat.of()
                .parseHex("feffffff" + "28000000020a01000700000000000000" + "080002002c000000"
                        + "09000100676f6e6500000000");

        NetfilterRefusal refusal = NetfilterRefusal.of(new NetlinkMessage(2, 0x300, 7, payload));

        assertThat(refusal).isEqualTo(new NetfilterRefusal(7, Errno.ENOENT, 44, "gone"));
        assertThat(refusal).hasToString("ENOENT, no such thing (2): gone");
    }

    @Test
    void a_refusal_without_details_has_none() {
        byte[] payload = HexFormat.of().parseHex("ffffffff" + "28000000020a01000700000000000000");

        assertThat(NetfilterRefusal.of(new NetlinkMessage(2, 0, 7, payload)))
                .isEqualTo(new NetfilterRefusal(7, Errno.EPERM, 0, ""));
    }
}
