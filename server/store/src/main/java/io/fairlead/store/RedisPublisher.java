package io.fairlead.store;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.Store.Change;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes each change to a Redis channel, for others to read (decision 037). None of our own parts depends on it.
///
/// It reads a watch, so no write ever waits for Redis. What Redis does not take in time is dropped, the oldest first:
/// a subscriber must not rely on the channel alone.
public final class RedisPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(RedisPublisher.class);
    private static final int CAPACITY = 1_024;
    // What is secret in the API is not for every client that can subscribe.
    private static final String SECRETS = "secrets/";

    private final Store store;
    private final RedisChannel where;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong dropped = new AtomicLong();

    private Revision read = Revision.ZERO; // of the task that follows the store alone

    public RedisPublisher(Store store, RedisChannel where) {
        this.store = store;
        this.where = where;
    }

    /// Publishes what is written from now on, until the tasks end.
    public void start(TaskGroup tasks) {
        read = store.revision();
        tasks.keep("publish-read", this::follow);
        tasks.keep("publish-send", this::send);
    }

    /// How many changes were not published because Redis was away or too slow.
    public long dropped() {
        return dropped.get();
    }

    private void follow() throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), ThreadLocalRandom.current());
        while (true) {
            try (Store.Watch watch = store.watch("", read)) {
                for (Optional<Store.Batch> batch = watch.next(); batch.isPresent(); batch = watch.next()) {
                    batch.get().changes().forEach(this::offer);
                    read = batch.get().upTo();
                    backoff.reset();
                }
            } catch (CompactedException e) {
                LOG.warn("event=publish-skipped channel={} reason=\"{}\"", where, e.getMessage());
                read = e.compacted();
            } catch (StoreException e) {
                LOG.warn("event=publish-waiting channel={} reason=\"{}\"", where, e.getMessage());
            }
            Thread.sleep(backoff.next());
        }
    }

    private void offer(Change change) {
        byte[] message = message(change);
        while (!waiting.offer(message)) {
            if (waiting.poll() != null && dropped.getAndIncrement() % CAPACITY == 0) {
                LOG.warn("event=publish-dropping channel={} dropped={}", where, dropped);
            }
        }
    }

    /// `{"type":"PUT","key":"services/default/web","revision":"12","object":{…}}`
    static byte[] message(Change change) {
        byte[] head = Json.bytes(Json.object()
                .put("type", change instanceof Change.Put ? "PUT" : "DELETE")
                .put("key", change.key())
                .put("revision", change.revision().toString()));
        if (!(change instanceof Change.Put(var stored, var _)) || change.key().startsWith(SECRETS)) {
            return head;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(head, 0, head.length - 1);
        out.writeBytes(",\"object\":".getBytes(StandardCharsets.UTF_8));
        out.writeBytes(stored.value());
        out.write('}');
        return out.toByteArray();
    }

    private void send() throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), ThreadLocalRandom.current());
        boolean failing = false;
        while (true) {
            try (RedisConnection redis = new RedisConnection(where)) {
                LOG.info("event=publish-connected channel={} dropped={}", where, dropped);
                failing = false;
                backoff.reset();
                sendAll(redis);
            } catch (IOException e) {
                if (!failing) {
                    LOG.warn("event=publish-failed channel={} reason=\"{}\"", where, e.getMessage());
                }
                failing = true;
            }
            Thread.sleep(backoff.next());
        }
    }

    /// The message that a broken connection takes with it is dropped, too: Redis may have had it.
    private void sendAll(RedisConnection redis) throws IOException, InterruptedException {
        while (true) {
            byte[] message = waiting.take();
            boolean published = false;
            try {
                redis.publish(where.channel(), message);
                published = true;
            } finally {
                if (!published) {
                    dropped.incrementAndGet();
                }
            }
        }
    }
}
