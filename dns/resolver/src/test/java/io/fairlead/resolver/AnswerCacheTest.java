package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.zone.Name;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResourceRecord;
import io.fairlead.zone.Sections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerCacheTest {
    private static final int TEXT = 16;

    private static Sections answer(Name name, int bytes) {
        return new Sections(0x8180, List.of(new ResourceRecord(name, TEXT, 60, new byte[bytes])), List.of(), List.of());
    }

    /// A pod can ask for ten thousand names of its own, each with as much as a message holds.
    @Test
    void large_answers_are_not_kept_and_the_number_of_small_ones_is_bounded() {
        AnswerCache cache = new AnswerCache(CacheSettings.DEFAULT.withCapacity(100));
        for (int i = 0; i < 1_000; i++) {
            Name name = Name.of("n" + i + ".example.org");
            cache.put(name, TEXT, answer(name, 60_000), 0);
            assertThat(cache.size()).isZero();
        }
        for (int i = 0; i < 1_000; i++) {
            Name name = Name.of("n" + i + ".example.org");
            cache.put(name, RecordType.A, answer(name, 4), 0);
        }
        assertThat(cache.size()).isBetween(50, 100);
    }
}
