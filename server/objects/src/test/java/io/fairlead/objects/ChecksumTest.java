package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

final class ChecksumTest {
    private static long expected(byte[] text) {
        CRC32 sum = new CRC32();
        sum.update(text);
        return sum.getValue();
    }

    @Test
    void the_sums_of_parts_give_the_sum_of_the_whole_wherever_it_is_cut() {
        Random random = new Random(1);
        for (int round = 0; round < 500; round++) {
            byte[] text = new byte[random.nextInt(20_000)];
            random.nextBytes(text);
            Checksum sum = Checksum.EMPTY;
            int from = 0;
            while (from < text.length) {
                int to = Math.min(text.length, from + random.nextInt(1 + random.nextInt(5_000)));
                sum = sum.then(Checksum.of(Arrays.copyOfRange(text, from, to)));
                from = to;
            }

            assertThat(Integer.toUnsignedLong(sum.crc())).isEqualTo(expected(text));
            assertThat(sum).isEqualTo(Checksum.of(text));
        }
    }

    @Test
    void it_does_not_matter_which_parts_are_joined_first() {
        Checksum a = Checksum.of("head".getBytes(StandardCharsets.US_ASCII));
        Checksum b = Checksum.of(new byte[1_000_000]);
        Checksum c = Checksum.of(",".getBytes(StandardCharsets.US_ASCII));

        assertThat(a.then(b).then(c)).isEqualTo(a.then(b.then(c)));
        assertThat(Checksum.EMPTY.then(a)).isEqualTo(a).isEqualTo(a.then(Checksum.EMPTY));
    }
}
