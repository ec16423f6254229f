package io.fairlead.kinds;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Where time and chance come from: what the server writes into an object that no client can say.
public record Stamp(InstantSource clock, RandomGenerator random) {
    // Without vowels and look-alikes, so that no word comes out by accident.
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;

    public Instant now() {
        return clock.instant();
    }

    /// The time as the API writes it: whole seconds, UTC.
    public String timestamp(int secondsFromNow) {
        return now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(secondsFromNow).toString();
    }

    /// The same to the microsecond.
    public String microtime() {
        return MICROS.format(now());
    }

    public String uid() {
        byte[] chance = new byte[16]; // at once: each time that the kernel is asked costs as much
        random.nextBytes(chance);
        ByteBuffer longs = ByteBuffer.wrap(chance);
        long high = (longs.getLong() & ~0xf000L) | 0x4000L;
        long low = (longs.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    /// A name that starts with `generateName` and that is probably free (K21).
    public String name(String generateName) {
        StringBuilder name = new StringBuilder(generateName);
        name.setLength(Math.min(name.length(), 253 - SUFFIX_LENGTH));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }
}
