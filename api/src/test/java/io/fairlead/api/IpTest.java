package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "10.96.0.10, 10.96.0.10",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:DB8::A, 2001:db8::a",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "1:0:3:4:5:6:7:8, 1:0:3:4:5:6:7:8",
        "0001:0002::, 1:2::",
        "::ffff:10.0.0.1, ::ffff:a00:1",
        "fd00:10:244::1:2, fd00:10:244::1:2"
    })
    void an_address_prints_in_its_canonical_form(String text, String canonical) {
        assertThat(Ip.parse(text)).hasToString(canonical);
        assertThat(Ip.parse(canonical)).isEqualTo(Ip.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.4 ",
                "1..3.4",
                "-1.2.3.4",
                "1.2.3.4/8",
                "٣.1.1.1",
                "localhost",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "g::",
                "[::1]",
                "fe80::1%eth0",
                "1.2.3.4::",
                "::1.2.3",
                "::1.2.3.4:5",
                ":1::2",
                "1::2:",
                "٣::"
            })
    void what_is_no_address_is_found_to_be_none(String text) {
        assertThat(Ip.find(text)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Ip.parse(text)).withMessageContaining(text);
    }

    @Test
    void bytes_text_and_order_agree_with_those_of_the_jdk() throws Exception {
        Random random = new Random(1);
        List<Ip> all = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(bytes);
            if (bytes.length == 16) {
                Arrays.fill(bytes, random.nextInt(16), 16, (byte) random.nextInt(2)); // long runs of zeros
                bytes[0] = 0x20; // the JDK turns ::ffff:1.2.3.4 into IPv4
            }
            Ip ip = Ip.of(bytes);
            assertThat(ip.bytes()).isEqualTo(bytes);
            assertThat(Ip.parse(ip.toString())).isEqualTo(ip);
            assertThat(InetAddress.ofLiteral(ip.toString()).getAddress()).isEqualTo(bytes);
            all.add(ip);
        }
        List<Ip> sorted = new ArrayList<>(all);
        Collections.sort(sorted);
        all.sort((a, b) -> a.family() == b.family()
                ? Arrays.compareUnsigned(a.bytes(), b.bytes())
                : a.family().compareTo(b.family()));
        assertThat(sorted).isEqualTo(all);
    }

    @Test
    void counting_on_is_addition_over_the_whole_width() {
        Random random = new Random(2);
        BigInteger limit = BigInteger.ONE.shiftLeft(128);
        for (int i = 0; i < 5000; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                Arrays.fill(bytes, 8, 16, (byte) (random.nextBoolean() ? 0 : 0xff));
            }
            long count = random.nextBoolean() ? random.nextLong() : random.nextInt(5) - 2;
            BigInteger expected =
                    new BigInteger(1, bytes).add(BigInteger.valueOf(count)).mod(limit);
            assertThat(new BigInteger(1, Ip.of(bytes).plus(count).bytes())).isEqualTo(expected);
        }
        assertThat(Ip.parse("10.0.0.255").plus(1)).hasToString("10.0.1.0");
        assertThat(Ip.parse("10.0.1.0").plus(-1)).hasToString("10.0.0.255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ip.parse("255.255.255.255").plus(1));
    }

    @Test
    void an_address_has_four_or_sixteen_bytes() {
        assertThatIllegalArgumentException().isThrownBy(() -> Ip.of(new byte[5]));
        assertThatIllegalArgumentException().isThrownBy(() -> new Ip(Family.IPV4, 0, 1L << 32));
    }
}
