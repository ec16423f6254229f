package io.fairlead.containers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Which images are let go of when the disk fills up. Pure.
///
/// As with Kubernetes: above 85 % of the disk, those that no pod has, the one that was asked for longest ago first,
/// until
/// 80 % would do. What a file brought stays: no registry would give it back.
public final class ImageCollection {
    private static final int HIGH_PERCENT = 85;
    private static final int LOW_PERCENT = 80;
    private static final Duration YOUNGEST = Duration.ofMinutes(2);

    private ImageCollection() {}

    /// An image of the store, by its full name.
    record Stored(String name, String digest, long bytes, Instant asked, boolean loaded) {}

    /// How much is to go, of a disk of which so much is taken and so much is free; 0 where it is not full.
    public static long excess(long used, long free) {
        long all = used + free;
        return used * 100 > all * HIGH_PERCENT ? used - all * LOW_PERCENT / 100 : 0;
    }

    /// The names to let go of, to win so many bytes; images of one content count once they are all gone.
    static List<String> victims(List<Stored> images, Set<String> usedDigests, long bytes, Instant now) {
        List<String> victims = new ArrayList<>();
        long won = 0;
        for (Stored image :
                images.stream().sorted(Comparator.comparing(Stored::asked)).toList()) {
            boolean young = image.asked().plus(YOUNGEST).isAfter(now);
            if (won < bytes && !young && !image.loaded() && !usedDigests.contains(image.digest())) {
                victims.add(image.name());
                boolean last = images.stream()
                        .noneMatch(other -> other.digest().equals(image.digest()) && !victims.contains(other.name()));
                won += last ? image.bytes() : 0;
            }
        }
        return victims;
    }
}
