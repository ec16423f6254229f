package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.containers.ImageCollection.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ImageCollectionTest {
    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    private static Stored image(String name, String digest, int minutesAgo) {
        return new Stored(name, digest, 100, NOW.minus(Duration.ofMinutes(minutesAgo)), false);
    }

    @Test
    void a_disk_is_emptied_from_85_percent_down_to_80() {
        assertThat(ImageCollection.excess(850, 150)).isZero();
        assertThat(ImageCollection.excess(860, 140)).isEqualTo(60);
    }

    @Test
    void the_image_asked_for_longest_ago_goes_first_and_no_more_than_needed() {
        List<Stored> images =
                List.of(image("new", "sha256:1", 5), image("old", "sha256:2", 50), image("older", "sha256:3", 90));

        assertThat(ImageCollection.victims(images, Set.of(), 150, NOW)).containsExactly("older", "old");
        assertThat(ImageCollection.victims(images, Set.of(), 50, NOW)).containsExactly("older");
        assertThat(ImageCollection.victims(images, Set.of(), 0, NOW)).isEmpty();
    }

    @Test
    void what_a_pod_has_what_is_young_and_what_a_file_brought_stays() {
        Stored loaded = new Stored("loaded", "sha256:4", 100, NOW.minus(Duration.ofDays(9)), true);
        List<Stored> images = List.of(image("used", "sha256:1", 500), image("young", "sha256:2", 1), loaded);

        assertThat(ImageCollection.victims(images, Set.of("sha256:1"), 1000, NOW))
                .isEmpty();
    }

    @Test
    void two_names_of_one_content_win_its_bytes_once() {
        List<Stored> images = List.of(image("a", "sha256:1", 9), image("b", "sha256:1", 8), image("c", "sha256:2", 7));

        assertThat(ImageCollection.victims(images, Set.of(), 100, NOW)).containsExactly("a", "b");
    }
}
