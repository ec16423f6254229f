package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
    @ParameterizedTest
    @CsvSource({
        "10.96.0.0/16, 10.96.0.0/16, 65536",
        "10.96.3.4/16, 10.96.0.0/16, 65536",
        "1.2.3.4/0, 0.0.0.0/0, 4294967296",
        "1.2.3.4/32, 1.2.3.4/32, 1",
        "fd00:10:96::1/112, fd00:10:96::/112, 65536",
        "fd00:1:2:3:4::/64, fd00:1:2:3::/64, 9223372036854775807",
        "fd00:1:2:3:4::/63, fd00:1:2:2::/63, 9223372036854775807",
        "fd00:1:2:3:8000::1/65, fd00:1:2:3:8000::/65, 9223372036854775807",
        "fd00::1/66, fd00::/66, 4611686018427387904",
        "ff::/0, ::/0, 9223372036854775807",
        "::1/128, ::1/128, 1"
    })
    void a_block_forgets_its_host_bits_and_knows_its_size(String text, String canonical, long size) {
        assertThat(Cidr.parse(text)).hasToString(canonical);
        assertThat(Cidr.parse(text).size()).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "::/129",
                "10.0.0.0/-1",
                "10.0.0.0/ 8",
                "10.0.0.0/8/8",
                "10.0.0/8",
                "10.0.0.0/1234",
                "10.0.0.0/08",
                "10.0.0.0/٨"
            })
    void what_is_no_block_is_found_to_be_none(String text) {
        assertThat(Cidr.find(text)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse(text));
    }

    @Test
    void a_prefix_longer_than_the_address_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Cidr(Ip.parse("10.0.0.0"), 33));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cidr(Ip.parse("::"), -1));
    }

    @Test
    void it_contains_what_shares_its_prefix() {
        Random random = new Random(3);
        for (int i = 0; i < 5000; i++) {
            byte[] network = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(network);
            int bits = network.length * 8;
            int prefix = random.nextInt(bits + 1);
            BigInteger other = new BigInteger(1, network).flipBit(random.nextInt(bits));
            Cidr cidr = new Cidr(Ip.of(network), prefix);
            assertThat(cidr.contains(Ip.of(network))).isTrue();
            boolean same = new BigInteger(1, network).shiftRight(bits - prefix).equals(other.shiftRight(bits - prefix));
            assertThat(cidr.contains(Ip.of(wide(other, network.length)))).isEqualTo(same);
        }
        assertThat(Cidr.parse("0.0.0.0/0").contains(Ip.parse("::1"))).isFalse();
        assertThat(Cidr.parse("::/0").contains(Ip.parse("1.2.3.4"))).isFalse();
    }

    private static byte[] wide(BigInteger value, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = value.shiftRight(8 * (length - 1 - i)).byteValue();
        }
        return bytes;
    }

    @Test
    void addresses_are_counted_from_the_network_address() {
        assertThat(Cidr.parse("10.96.0.0/16").at(0)).hasToString("10.96.0.0");
        assertThat(Cidr.parse("10.96.0.0/16").at(257)).hasToString("10.96.1.1");
        assertThat(Cidr.parse("fd00::ffff:ffff:ffff:0/112").at(65535)).hasToString("fd00::ffff:ffff:ffff:ffff");
    }

    @Test
    void blocks_sort_by_address_then_by_length() {
        assertThat(List.of("::/0", "10.0.0.0/16", "9.0.0.0/8", "10.0.0.0/8").stream()
                        .map(Cidr::parse)
                        .sorted()
                        .map(Cidr::toString))
                .containsExactly("9.0.0.0/8", "10.0.0.0/8", "10.0.0.0/16", "::/0");
    }

    @Test
    void a_block_is_cut_into_smaller_ones() {
        assertThat(Cidr.parse("10.244.0.0/16").block(24, 255)).hasToString("10.244.255.0/24");
        assertThat(Cidr.parse("fd00:244::/48").block(64, 258)).hasToString("fd00:244:0:102::/64");
        assertThat(Cidr.parse("fd00:244::/112").block(120, 3)).hasToString("fd00:244::300/120");
        assertThat(Cidr.parse("10.0.0.0/24").block(24, 0)).hasToString("10.0.0.0/24");
        assertThat(Cidr.parse("10.244.0.0/16").blocks(24)).isEqualTo(256);
        assertThat(Cidr.parse("10.0.0.0/25").blocks(24)).isZero();
        assertThatThrownBy(() -> Cidr.parse("10.244.0.0/16").block(24, 256))
                .hasMessage("no block 256 of length /24 in 10.244.0.0/16");
    }

    @Test
    void blocks_overlap_if_one_is_inside_the_other() {
        Cidr block = Cidr.parse("10.244.2.0/23");
        assertThat(block.overlaps(Cidr.parse("10.244.3.0/24"))).isTrue();
        assertThat(Cidr.parse("10.244.3.0/24").overlaps(block)).isTrue();
        assertThat(block.overlaps(Cidr.parse("10.244.4.0/24"))).isFalse();
        assertThat(block.overlaps(Cidr.parse("fd00::/8"))).isFalse();
    }
}
