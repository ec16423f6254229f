package io.fairlead.resolver;

import io.fairlead.zone.KeptAnswer;
import io.fairlead.zone.Name;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResourceRecord;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Sections;
import io.fairlead.zone.Wire;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What came from upstream, for as long as its records say.
///
/// Time is given to it, in nanoseconds of one clock.
final class AnswerCache {
    private static final long SECOND = 1_000_000_000L;

    /// A larger answer is asked for again: ten thousand of 64 KiB, which a pod can ask for, would take all memory.
    private static final int LARGEST = 4096;

    private final CacheSettings settings;
    private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();

    AnswerCache(CacheSettings settings) {
        this.settings = settings;
    }

    /// What was asked.
    record Key(Name name, int type) {}

    /// An answer that is kept, and how often it was given.
    record Entry(KeptAnswer answer, long from, long until, AtomicInteger hits) {
        /// The answer with what is left of its time; a stale one may be kept for half a minute.
        Sections at(long now) {
            return answer.aged(age(now));
        }

        /// In seconds.
        int age(long now) {
            return (int) ((now - from) / SECOND);
        }

        boolean isFresh(long now) {
            return now < until;
        }
    }

    /// The answer that may be given without asking upstream.
    @Nullable
    Entry fresh(Name name, int type, long now) {
        Entry entry = entries.get(new Key(name, type));
        return entry != null && entry.isFresh(now) ? entry : null;
    }

    /// The answer, fresh or stale.
    Optional<Entry> find(Name name, int type, long now) {
        Entry entry = entries.get(new Key(name, type));
        return Optional.ofNullable(entry)
                .filter(one -> now < one.until + settings.stale().toNanos());
    }

    /// Whether an answer that was just given is worth to be fetched anew before it ends; true once for each.
    boolean isWorthFetching(Entry entry, long now) {
        long left = entry.until - now;
        return settings.prefetch() > 0
                && entry.hits.incrementAndGet() >= settings.prefetch()
                && left < (entry.until - entry.from) / 10
                && entry.hits.getAndSet(Integer.MIN_VALUE) > 0;
    }

    void put(Name name, int type, Sections sections, long now) {
        Duration life = life(sections);
        if (life.isZero() || settings.capacity() == 0 || size(sections) > LARGEST) {
            return;
        }
        if (entries.size() >= settings.capacity()) {
            dropSome(now);
        }
        entries.put(
                new Key(name, type),
                new Entry(KeptAnswer.of(name, sections), now, now + life.toNanos(), new AtomicInteger()));
    }

    /// Those that ended, or else the first few: the order of a hash is as good as chance.
    private void dropSome(long now) {
        entries.values().removeIf(entry -> !entry.isFresh(now));
        Iterator<Key> keys = entries.keySet().iterator();
        for (int i = 0; i < settings.capacity() / 16 + 1 && entries.size() >= settings.capacity(); i++) {
            keys.next();
            keys.remove();
        }
    }

    private static long size(Sections sections) {
        return Stream.concat(sections.answers().stream(), sections.authority().stream())
                .mapToLong(record -> record.content().length + record.owner().length())
                .sum();
    }

    int size() {
        return entries.size();
    }

    /// RFC 2308: a denial lives as long as the SOA record and its minimum say; one without is not kept.
    private Duration life(Sections sections) {
        boolean denial = sections.answers().stream().noneMatch(record -> record.type() != RecordType.CNAME);
        if (sections.code() != ResponseCode.NOERROR.code() && sections.code() != ResponseCode.NXDOMAIN.code()) {
            return Duration.ZERO;
        }
        Stream<Integer> answers = sections.answers().stream().map(ResourceRecord::ttl);
        if (!denial) {
            return smaller(answers, settings.longest());
        }
        Optional<ResourceRecord> authority = sections.authority().stream()
                .filter(record -> record.type() == RecordType.SOA)
                .findFirst();
        return authority
                .map(soa ->
                        smaller(Stream.concat(answers, Stream.of(soa.ttl(), minimum(soa))), settings.longestDenial()))
                .orElse(Duration.ZERO);
    }

    private static int minimum(ResourceRecord soa) {
        return Wire.getInt(soa.content(), soa.content().length - 4);
    }

    private static Duration smaller(Stream<Integer> seconds, Duration longest) {
        long least = seconds.mapToLong(Integer::longValue).min().orElse(0);
        return Duration.ofSeconds(Math.clamp(least, 0, longest.toSeconds()));
    }
}
