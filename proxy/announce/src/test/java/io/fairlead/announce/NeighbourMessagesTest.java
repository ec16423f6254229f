package io.fairlead.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The frames byte by byte, as `tcpdump -xx` shows those of other implementations.
final class NeighbourMessagesTest {
    private static final HardwareAddress OWN = new HardwareAddress(0x020a_1400_0001L);
    private static final HardwareAddress ASKER = new HardwareAddress(0x020a_1400_0002L);
    private static final Ip ADDRESS = Ip.parse("192.0.2.7");
    private static final Ip ADDRESS6 = Ip.parse("2001:db8::7");

    private final ArpMessages arp = new ArpMessages();
    private final NdpMessages ndp = new NdpMessages();

    private static String hex(byte[] frame) {
        return HexFormat.of().formatHex(frame);
    }

    private static byte[] bytes(String... parts) {
        return HexFormat.of().parseHex(String.join("", parts).replace(" ", ""));
    }

    @Test
    void arp_announces_by_a_request_and_a_reply_to_all() {
        List<byte[]> frames = arp.announcement(OWN, ADDRESS);

        assertThat(frames).hasSize(2);
        assertThat(frames.get(0))
                .isEqualTo(bytes(
                        "ffffffffffff 020a14000001 0806",
                        "0001 0800 06 04 0001",
                        "020a14000001 c0000207 000000000000 c0000207"));
        assertThat(frames.get(1))
                .isEqualTo(bytes(
                        "ffffffffffff 020a14000001 0806",
                        "0001 0800 06 04 0002",
                        "020a14000001 c0000207 ffffffffffff c0000207"));
    }

    @Test
    void arp_answers_the_one_who_asked() {
        byte[] question = bytes(
                "ffffffffffff 020a14000002 0806",
                "0001 0800 06 04 0001",
                "020a14000002 c0000264 000000000000 c0000207",
                "000000000000000000000000000000000000"); // Ethernet pads short frames
        Heard heard = arp.parse(question).orElseThrow();

        assertThat(heard).isEqualTo(new Heard.Question(ADDRESS, ASKER, Ip.parse("192.0.2.100")));
        assertThat(arp.answer(OWN, (Heard.Question) heard))
                .isEqualTo(bytes(
                        "020a14000002 020a14000001 0806",
                        "0001 0800 06 04 0002",
                        "020a14000001 c0000207 020a14000002 c0000264"));
    }

    @Test
    void ndp_announces_by_an_advertisement_to_all_nodes_that_overrides() {
        List<byte[]> frames = ndp.announcement(OWN, ADDRESS6);

        assertThat(frames).hasSize(1);
        assertThat(hex(frames.getFirst()))
                .isEqualTo(hex(bytes(
                        "333300000001 020a14000001 86dd",
                        "60000000 0020 3a ff",
                        "20010db8000000000000000000000007",
                        "ff020000000000000000000000000001",
                        "88 00 e514 20000000",
                        "20010db8000000000000000000000007",
                        "02 01 020a14000001")));
    }

    @Test
    void ndp_answers_the_one_who_asked_and_says_that_it_was_asked() {
        Heard.Question question = new Heard.Question(ADDRESS6, ASKER, Ip.parse("2001:db8::64"));
        byte[] answer = ndp.answer(OWN, question);

        assertThat(hex(answer)).startsWith("020a14000002020a1400000186dd60000000");
        assertThat(hex(answer).substring(2 * 38, 2 * 54)).isEqualTo("20010db8000000000000000000000064");
        assertThat(hex(answer).substring(2 * 58, 2 * 62)).isEqualTo("60000000");
        assertThat(sumOfMessage(answer))
                .as("with its checksum it sums up to nothing")
                .isEqualTo(0xffff);
    }

    @Test
    void ndp_tells_all_where_a_host_checks_whether_the_address_is_free() {
        byte[] solicitation = bytes(
                "3333ff000007 020a14000002 86dd",
                "60000000 0018 3a ff",
                "00000000000000000000000000000000",
                "ff0200000000000000000001ff000007",
                "87 00 0000 00000000",
                "20010db8000000000000000000000007");
        Heard heard = ndp.parse(solicitation).orElseThrow();

        assertThat(heard).isEqualTo(new Heard.Question(ADDRESS6, ASKER, Ip.parse("::")));
        assertThat(ndp.answer(OWN, (Heard.Question) heard))
                .isEqualTo(ndp.announcement(OWN, ADDRESS6).getFirst());
    }

    @Test
    void what_one_announces_another_hears_as_a_claim() {
        arp.announcement(OWN, ADDRESS)
                .forEach(frame -> assertThat(arp.parse(frame)).contains(new Heard.Claim(ADDRESS, OWN)));
        ndp.announcement(OWN, ADDRESS6)
                .forEach(frame -> assertThat(ndp.parse(frame)).contains(new Heard.Claim(ADDRESS6, OWN)));
    }

    @Test
    void questions_for_an_ipv6_address_come_in_its_group() {
        assertThat(NdpMessages.solicitedNode(Ip.parse("2001:db8::1:2345:6789"))).hasToString("ff02::1:ff45:6789");
    }

    @Test
    void a_message_through_a_router_is_not_believed() {
        byte[] frame = ndp.announcement(OWN, ADDRESS6).getFirst();
        frame[21] = 64;
        assertThat(ndp.parse(frame)).isEmpty();
    }

    @Test
    void no_frame_is_too_strange() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] frame = random.nextBoolean()
                    ? arp.announcement(OWN, ADDRESS).getFirst()
                    : ndp.announcement(OWN, ADDRESS6).getFirst();
            byte[] cut = Arrays.copyOf(frame, random.nextInt(frame.length + 20));
            if (cut.length > 0) {
                cut[random.nextInt(cut.length)] = (byte) random.nextInt();
            }
            arp.parse(cut);
            ndp.parse(cut);
        }
    }

    /// The one's complement sum of the pseudo header and the message.
    private static int sumOfMessage(byte[] frame) {
        long sum = frame.length - 54L + 58;
        for (int i = 22; i < frame.length; i += 2) {
            sum += ((frame[i] & 0xff) << 8) | (frame[i + 1] & 0xff);
        }
        while (sum >> 16 != 0) {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return (int) sum;
    }
}
