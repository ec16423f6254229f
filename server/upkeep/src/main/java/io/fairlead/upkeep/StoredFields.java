package io.fairlead.upkeep;

import io.fairlead.api.Kind;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.KindMerges;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.ArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Takes the fields that their kinds do not have out of objects that an earlier release stored: once, after a start,
/// and without haste.
final class StoredFields {
    private static final Logger LOG = LoggerFactory.getLogger(StoredFields.class);
    private static final Duration AFTER_START = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int AT_ONCE = 50;

    private final WatchCache cache;
    private final ObjectWrites writes;
    private final KindMerges merges;

    StoredFields(WatchCache cache, ObjectWrites writes, KindMerges merges) {
        this.cache = cache;
        this.writes = writes;
        this.merges = merges;
    }

    void run() throws InterruptedException {
        Thread.sleep(AFTER_START);
        int seen = 0;
        for (Kind kind : Kind.ALL) {
            for (ApiObject object : new ArrayList<>(cache.of(kind).list("").items())) {
                if (++seen % AT_ONCE == 0) {
                    Thread.sleep(PAUSE);
                }
                if (!merges.unknownFields(kind, object.tree()).isEmpty()) {
                    prune(object);
                }
            }
        }
    }

    private void prune(ApiObject object) throws InterruptedException {
        try {
            writes.update(object.kind(), object.key(), UpdatePart.ALL, this::pruned, Author.SERVER);
            LOG.info("event=fields-dropped kind={} object={}", object.kind().name(), object.key());
        } catch (StatusException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e; // else it changed meanwhile, and a write prunes it
            }
        }
    }

    private ObjectNode pruned(ApiObject old) {
        ObjectNode next = old.copy();
        merges.prune(old.kind(), next);
        return next;
    }
}
