package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.CacheEvent;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.StatusException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// One watch: from a state or a revision on, every change that its selection sees, as a line each (K14–K20).
final class WatchStream {
    private static final Duration BOOKMARK_PERIOD = Duration.ofMinutes(1);

    private final KindCache cache;
    private final WatchOptions options;
    private final EventFormat format;
    private final Stamp stamp;

    WatchStream(KindCache cache, WatchOptions options, EventFormat format, Stamp stamp) {
        this.cache = cache;
        this.options = options;
        this.format = format;
        this.stamp = stamp;
    }

    /// Writes the stream until it times out or the server closes; then it ends cleanly, and the client comes back.
    /// One that begins too far back gets an error event in the stream, as in Kubernetes: informers of fabric8 list
    /// again on that event, and never on an answer of 410.
    void writeTo(EventBuffer.Sink sink) throws IOException, InterruptedException {
        EventBuffer out = new EventBuffer(sink);
        try {
            follow(out, begin(out));
        } catch (StatusException tooOld) {
            out.add(CacheEvent.line("ERROR", Json.bytes(tooOld.status())));
        }
        out.flush();
    }

    private Revision begin(EventBuffer out) throws IOException, InterruptedException {
        if (!options.sendsState()) {
            return options.after();
        }
        KindCache.Listing listing = cache.list(options.selection().namespace());
        for (ApiObject object : listing.items()) {
            if (options.selection().test(object)) {
                out.add(format.added(object));
            }
        }
        if (options.marksEndOfState()) {
            bookmark(out, listing.revision(), true);
        }
        out.flush();
        return listing.revision();
    }

    private void follow(EventBuffer out, Revision from) throws IOException, InterruptedException {
        Instant end = stamp.now().plus(options.timeout());
        Instant bookmarkDue = stamp.now().plus(BOOKMARK_PERIOD);
        Revision told = from;
        while (stamp.now().isBefore(end)) {
            Instant wake = bookmarkDue.isBefore(end) ? bookmarkDue : end;
            Optional<KindCache.Batch> batch = cache.await(told, Duration.between(stamp.now(), wake));
            if (batch.isEmpty()) {
                return;
            }
            told = write(out, batch.get(), told);
            if (!stamp.now().isBefore(wake)) {
                bookmark(out, told, false);
                bookmarkDue = stamp.now().plus(BOOKMARK_PERIOD);
            }
            out.flush();
        }
    }

    private Revision write(EventBuffer out, KindCache.Batch batch, Revision told)
            throws IOException, InterruptedException {
        for (CacheEvent event : batch.events()) {
            Optional<CacheEvent.Seen> seen = event.seenBy(options.selection());
            if (seen.isPresent()) {
                out.add(format.event(event, seen.get()));
            }
        }
        // A watch may start at a revision that this server has not reached yet: it never tells of an earlier one.
        return batch.upTo().isAfter(told) ? batch.upTo() : told;
    }

    private void bookmark(EventBuffer out, Revision revision, boolean endOfState)
            throws IOException, InterruptedException {
        if (options.bookmarks()) {
            out.add(format.bookmark(revision, endOfState));
        }
    }
}
