package io.fairlead.nginx;

import io.fairlead.api.Secret;
import io.fairlead.api.Snapshot;
import io.fairlead.routes.NginxConfiguration;
import io.fairlead.routes.Ownership;
import io.fairlead.routes.Profile;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch, compile, feed; and now and then a reload. It also keeps nginx alive.
final class IngressLoop {
    private static final Logger LOG = LoggerFactory.getLogger(IngressLoop.class);

    /// How often it looks whether nginx lives when nothing changes.
    private static final Duration TICK = Duration.ofMillis(100);

    private final IngressConfig config;
    private final Nginx nginx;
    private final Feeder feeder;
    private final IngressMetrics metrics;
    private final Consumer<RouteTable> told;
    private RouteTable table;
    private Ownership ownership;
    private Set<Profile> needed = Set.of();
    private Set<Profile> profiles = Set.of();
    private @Nullable NginxConfiguration applied;
    private long lastReload;
    private boolean reloadDue;

    IngressLoop(IngressConfig config, Nginx nginx, IngressMetrics metrics, Consumer<RouteTable> told) {
        this.config = config;
        this.nginx = nginx;
        this.metrics = metrics;
        this.told = told;
        this.feeder = new Feeder(nginx);
        this.ownership = config.ownership();
        this.table = RouteTable.of(Snapshot.EMPTY, ownership);
        this.lastReload = System.nanoTime() - config.reloadInterval().toNanos();
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        Snapshot snapshot = snapshots.take();
        boolean changed = true;
        while (true) {
            try {
                if (nginx.revive()) {
                    feeder.forget();
                    applied = null;
                    changed = true;
                }
                if (changed || reloadDue || feeder.isBehind()) {
                    follow(snapshot);
                }
            } catch (NginxException e) {
                metrics.failed();
                LOG.warn("ingress failed=\"{}\"", e.getMessage());
                feeder.forget();
            }
            Optional<Snapshot> newer = snapshots.take(TICK);
            changed = newer.isPresent();
            snapshot = newer.orElse(snapshot);
        }
    }

    private void follow(Snapshot snapshot) throws InterruptedException {
        RouteTable newer = table.at(snapshot, ownership);
        if (!newer.hosts().equals(table.hosts())) {
            needed = newer.profiles();
        }
        table = newer;
        Wanted wanted = Wanted.of(snapshot, config.sources());
        configure(snapshot, wanted);
        feeder.feed(table, wanted, defaultCertificate(snapshot), profiles);
        told.accept(table);
    }

    private Optional<Secret> defaultCertificate(Snapshot snapshot) {
        return snapshot.secrets().find(config.sources().certificate());
    }

    private void configure(Snapshot snapshot, Wanted wanted) throws InterruptedException {
        // Profiles that are no longer needed do no harm: they go with the next reload that is needed anyway.
        if (profiles.containsAll(needed) && configuration(wanted, profiles).equals(applied)) {
            reloadDue = false;
            return;
        }
        NginxConfiguration next = configuration(wanted, needed);
        if (applied == null && nginx.runs(next)) {
            profiles = needed;
            applied = next;
            return;
        }
        if (System.nanoTime() - lastReload < config.reloadInterval().toNanos()) {
            reloadDue = true;
            return;
        }
        Set<Profile> taken = reload(wanted, needed);
        lastReload = System.nanoTime();
        reloadDue = false;
        profiles = taken;
        applied = configuration(wanted, taken);
        if (!taken.containsAll(needed)) {
            Set<Profile> refused = new HashSet<>(ownership.refused());
            needed.stream().filter(profile -> !taken.contains(profile)).forEach(refused::add);
            ownership = ownership.refusing(refused);
            table = table.at(snapshot, ownership);
            needed = table.profiles();
        }
    }

    /// Loads a configuration with all profiles that nginx takes; the bad ones are found one by one.
    private Set<Profile> reload(Wanted wanted, Set<Profile> needed) throws InterruptedException {
        Optional<String> refusal = nginx.load(configuration(wanted, needed));
        if (refusal.isEmpty()) {
            metrics.reloaded();
            return needed;
        }
        LOG.warn("nginx refused=\"{}\"", refusal.get());
        Set<Profile> good = new TreeSet<>();
        for (Profile profile : needed) {
            if (nginx.test(configuration(wanted, List.of(profile))).isEmpty()) {
                good.add(profile);
            }
        }
        Optional<String> still = nginx.load(configuration(wanted, good));
        if (still.isPresent()) {
            metrics.failed();
            throw new NginxException("nginx refuses what holds for all: " + still.get());
        }
        metrics.reloaded();
        return good;
    }

    private NginxConfiguration configuration(Wanted wanted, Collection<Profile> some) {
        List<Profile> sorted = some.stream().sorted().toList();
        return new NginxConfiguration(config.place(), wanted.settings(), sorted, wanted.passthroughs());
    }
}
