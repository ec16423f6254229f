package io.fairlead.nginx;

import io.fairlead.api.Secret;
import io.fairlead.api.Snapshot;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.NginxConfiguration;
import io.fairlead.routes.Profile;
import io.fairlead.routes.RouteTable;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Feeds the Lua in nginx; now and then, for a set of options that no Ingress used before, a reload.
final class LuaFollower implements Follower {
    private static final Logger LOG = LoggerFactory.getLogger(LuaFollower.class);

    private final IngressConfig config;
    private final Nginx nginx;
    private final Feeder feeder;
    private final Reloads reloads;
    private final Warnings warnings = new Warnings();
    private RouteTable table;
    private IngressOwnership ownership;
    private Set<Profile> needed = Set.of();
    private Set<Profile> profiles = Set.of();
    private @Nullable NginxConfiguration applied;
    private boolean reloadDue;

    LuaFollower(IngressConfig config, Nginx nginx, IngressMetrics metrics) {
        this.config = config;
        this.nginx = nginx;
        this.reloads = new Reloads(nginx, metrics, config);
        this.feeder = new Feeder(nginx, metrics);
        this.ownership = config.ownership();
        this.table = RouteTable.of(Snapshot.EMPTY, ownership);
    }

    @Override
    public void forget() {
        feeder.forget();
        applied = null;
    }

    @Override
    public boolean isBehind() {
        return reloadDue || feeder.isBehind();
    }

    @Override
    public RouteTable follow(Snapshot snapshot) throws InterruptedException {
        RouteTable newer = table.at(snapshot, ownership);
        if (!newer.hosts().equals(table.hosts())) {
            needed = newer.profiles();
        }
        table = newer;
        SharedSettings wanted = SharedSettings.of(snapshot, config.sources(), config.place());
        warnings.tell(wanted.warnings());
        configure(snapshot, wanted);
        Optional<Secret> certificate = snapshot.secrets().find(config.sources().certificate());
        feeder.feed(table, wanted, certificate, profiles);
        return table;
    }

    private void configure(Snapshot snapshot, SharedSettings wanted) throws InterruptedException {
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
        if (!reloads.allows()) {
            reloadDue = true;
            return;
        }
        Set<Profile> taken = reload(wanted, needed);
        reloadDue = false;
        profiles = taken;
        applied = configuration(wanted, taken);
        if (!taken.containsAll(needed)) {
            Set<Profile> refused = new HashSet<>(ownership.refused().profiles());
            needed.stream().filter(profile -> !taken.contains(profile)).forEach(refused::add);
            ownership = ownership.refusing(new IngressOwnership.Refused(refused, Set.of(), Set.of()));
            table = table.at(snapshot, ownership);
            needed = table.profiles();
        }
    }

    /// Loads a configuration with all profiles that nginx takes; the bad ones are found one by one.
    private Set<Profile> reload(SharedSettings wanted, Set<Profile> needed) throws InterruptedException {
        Optional<String> refusal = reloads.load(configuration(wanted, needed));
        if (refusal.isEmpty()) {
            return needed;
        }
        LOG.warn("event=nginx-refused reason=\"{}\"", refusal.get());
        Set<Profile> good = new TreeSet<>();
        for (Profile profile : needed) {
            if (nginx.test(configuration(wanted, List.of(profile))).isEmpty()) {
                good.add(profile);
            }
        }
        Optional<String> still = reloads.load(configuration(wanted, good));
        if (still.isPresent()) {
            throw new NginxException("nginx refuses what holds for all: " + still.get());
        }
        return good;
    }

    private NginxConfiguration configuration(SharedSettings wanted, Collection<Profile> some) {
        List<Profile> sorted = some.stream().sorted().toList();
        return new NginxConfiguration(config.place(), wanted.settings(), sorted, wanted.passthroughs());
    }
}
