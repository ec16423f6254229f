package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.TaskGroup;
import io.grpc.Channel;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings what happens in etcd to the open watches, over one stream for all of them. When the stream breaks it goes on
/// where it was, with the next member.
final class EtcdFeed implements TaskGroup.Task {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdFeed.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LOOK_UP = Duration.ofMinutes(1);

    private final EtcdMembers members;
    private final EtcdHeartbeat heartbeat;
    private final WatchHub hub;
    private final EtcdEvents events;
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, ThreadLocalRandom.current());
    private boolean broken;

    EtcdFeed(EtcdMembers members, EtcdKeys keys, EtcdHeartbeat heartbeat, WatchHub hub) {
        this.members = members;
        this.heartbeat = heartbeat;
        this.hub = hub;
        this.events = new EtcdEvents(keys);
    }

    @Override
    public void run() throws InterruptedException {
        while (true) {
            Channel member = members.current();
            try {
                follow(member);
            } catch (EtcdEvents.GapException e) {
                restart(e.compacted());
            } catch (StoreException e) {
                broke(e);
                members.leave(member);
                Thread.sleep(backoff.next());
            }
        }
    }

    private void follow(Channel member) throws InterruptedException {
        try (EtcdStream stream = EtcdStream.open(member, events.keys(), hub.published())) {
            while (true) {
                stream.next(LOOK_UP)
                        .map(response -> events.batch(response, hub.published()))
                        .ifPresent(this::publish);
            }
        }
    }

    private void publish(Store.Batch batch) {
        if (broken) {
            LOG.info("event=store-followed store=etcd revision={}", hub.published());
            broken = false;
            backoff.reset();
        }
        if (batch.upTo().isAfter(hub.published())) {
            hub.publish(batch);
        }
    }

    /// What was compacted before we saw it is lost to the watches that are open.
    private void restart(Revision compacted) {
        LOG.warn("event=store-restarted store=etcd published={} compacted={}", hub.published(), compacted);
        try {
            hub.restart(heartbeat.write());
        } catch (StoreException e) {
            broke(e);
        }
    }

    private void broke(StoreException e) {
        if (!broken) {
            LOG.warn("event=store-lost store=etcd revision={} reason=\"{}\"", hub.published(), e.getMessage());
            broken = true;
        }
    }
}
