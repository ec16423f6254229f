package io.fairlead.announce;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Ip;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.Snapshot;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch, elect, speak: decides which addresses this node speaks for, again and again.
final class AnnounceLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(AnnounceLoop.class);

    /// How often it looks at the clock, the links and the conflicts when no newer Snapshot comes.
    private static final Duration TICK = Duration.ofMillis(200);

    private final AnnounceConfig config;
    private final Latest<Boolean> needed;
    private final Latest<Announced> state;
    private final AnnouncerMetrics metrics;
    private final Consumer<EventDraft> events;
    private final WantedAddresses addresses = new WantedAddresses();
    private final Liveness liveness;
    private final Tenancy tenancy;
    private final Speakers speakers;
    private final Links links = new Links();
    private SortedSet<Ip> spoken = new TreeSet<>();
    private boolean beating;

    AnnounceLoop(AnnounceConfig config, Announcer.Doors doors, AnnouncerMetrics metrics, Speakers speakers) {
        this.config = config;
        this.needed = doors.needed();
        this.state = doors.state();
        this.events = doors.events();
        this.metrics = metrics;
        this.speakers = speakers;
        this.liveness = new Liveness(config.node(), config.lease());
        this.tenancy = new Tenancy(config.node(), config.period().plus(Tenancy.GRACE));
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        new ApplyLoop<>(snapshots, this).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        addresses.follow(snapshot);
        SortedMap<Ip, Wanted> wanted = addresses.byAddress();
        ask(!wanted.isEmpty());
        long now = System.nanoTime();
        elect(snapshot, wanted, now);
        speakers.conflicts().stream().distinct().forEach(this::consider);
        Map<Ip, LocalLink> held = hold(now);
        speakers.speak(held);
        report(wanted, held, now);
    }

    @Override
    public Duration patience() {
        return TICK;
    }

    @Override
    public Optional<Reason> look() {
        return Optional.of(Reason.TIME);
    }

    private void ask(boolean beats) {
        if (beats != beating) {
            beating = beats;
            needed.offer(beats);
        }
    }

    private void elect(Snapshot snapshot, SortedMap<Ip, Wanted> wanted, long now) {
        List<Lease> leases = snapshot.objects(Kind.LEASE)
                .values()
                .filter(Lease.class::isInstance)
                .map(Lease.class::cast)
                .filter(lease -> lease.metadata().labels().containsKey(Announcer.LABEL))
                .toList();
        boolean before = liveness.isCurrent();
        liveness.look(leases, Instant.now(), now);
        if (before != liveness.isCurrent() && beating) {
            LOG.info("event=view-changed announcer={} view={}", config.node(), before ? "frozen" : "current");
        }
        if (liveness.isCurrent()) {
            if (!before) {
                tenancy.startAnew();
            }
            Set<String> live = liveness.live(now);
            tenancy.follow(Election.owners(wanted.values(), Candidate.among(leases, live, snapshot)), live, now);
        } else {
            tenancy.keepOnly(wanted.keySet());
        }
    }

    // Behind a link that is down another takes over. When the link comes back, that must be known first.
    private Map<Ip, LocalLink> hold(long now) {
        SortedSet<Ip> ours = tenancy.held(now);
        Map<Ip, LocalLink> held = links.of(ours, now);
        ours.stream().filter(ip -> !held.containsKey(ip)).forEach(tenancy::giveUp);
        return held;
    }

    // Who is cut off from the API server learns from the network itself that another has taken over.
    private void consider(LinkSpeaker.Conflict conflict) {
        metrics.conflicted();
        boolean yields = !liveness.isCurrent();
        LOG.warn(
                "event=address-claimed address={} link={} claimed-by={} outcome={}",
                conflict.address(),
                conflict.link(),
                conflict.by(),
                yields ? "given-up" : "defended");
        if (yields) {
            tenancy.giveUp(conflict.address());
        }
    }

    private void report(SortedMap<Ip, Wanted> wanted, Map<Ip, LocalLink> held, long now) {
        for (Map.Entry<Ip, LocalLink> entry : held.entrySet()) {
            if (!spoken.contains(entry.getKey())) {
                took(Optional.ofNullable(wanted.get(entry.getKey())), entry.getValue());
            }
        }
        spoken.stream()
                .filter(ip -> !held.containsKey(ip))
                .forEach(ip -> LOG.info("event=address-released address={} node={}", ip, config.node()));
        spoken = new TreeSet<>(held.keySet());
        List<Announced.Row> rows =
                wanted.values().stream().map(one -> row(one, held)).toList();
        state.offer(new Announced(config.node(), liveness.isCurrent(), liveness.live(now), rows));
    }

    private Announced.Row row(Wanted wanted, Map<Ip, LocalLink> held) {
        String owner = tenancy.owners().getOrDefault(wanted.address(), "");
        String link = Optional.ofNullable(held.get(wanted.address()))
                .map(LocalLink::name)
                .orElse("");
        return new Announced.Row(wanted.address(), wanted.service(), owner, link);
    }

    private void took(Optional<Wanted> wanted, LocalLink link) {
        wanted.ifPresent(one -> {
            metrics.took();
            LOG.info(
                    "event=address-announced address={} node={} link={} hardware={} service={}",
                    one.address(),
                    config.node(),
                    link.name(),
                    link.hardware(),
                    one.service());
            events.accept(new EventDraft(
                    Kind.SERVICE,
                    one.service(),
                    one.uid(),
                    "Normal",
                    "AddressAnnounced",
                    "node %s answers for %s on %s (%s)"
                            .formatted(config.node(), one.address(), link.name(), link.hardware())));
        });
    }
}
