package io.fairlead.nginx;

import io.fairlead.api.Ingress;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.routes.Certificate;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.RouteTable;
import io.fairlead.routes.VipConfiguration;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Drives an nginx without Lua: every rule and every certificate is configuration, and a change of it a reload.
final class VipFollower implements Follower {
    private static final Logger LOG = LoggerFactory.getLogger(VipFollower.class);

    private final IngressConfig config;
    private final Nginx nginx;
    private final Folder folder;
    private final Reloads reloads;
    private final Warnings warnings = new Warnings();
    private RouteTable whole;
    private Set<NamespacedName> leftOut = Set.of();
    private @Nullable VipConfiguration tried;
    private boolean behind;

    VipFollower(IngressConfig config, Nginx nginx, Folder folder, IngressMetrics metrics) {
        this.config = config;
        this.nginx = nginx;
        this.folder = folder;
        this.reloads = new Reloads(nginx, metrics, config);
        this.whole = RouteTable.of(Snapshot.EMPTY, ownership(Set.of()));
    }

    private IngressOwnership ownership(Set<NamespacedName> leftOut) {
        return config.ownership().refusing(new IngressOwnership.Refused(Set.of(), leftOut, VipConfiguration.NEED_LUA));
    }

    @Override
    public void forget() {
        tried = null;
    }

    @Override
    public boolean isBehind() {
        return behind;
    }

    @Override
    public RouteTable follow(Snapshot snapshot) throws InterruptedException {
        whole = whole.at(snapshot, ownership(Set.of()));
        VipConfiguration all = configuration(whole);
        boolean first = tried == null;
        behind = !all.equals(tried);
        if (behind && (!first || !adopts(all)) && reloads.allows()) {
            leftOut = bad(snapshot, all);
            VipConfiguration next = leftOut.isEmpty() ? all : configuration(left(snapshot));
            Optional<String> refusal = reloads.load(next);
            if (refusal.isPresent()) {
                throw new NginxException("nginx refuses what holds for all: " + refusal.get());
            }
            tried = all;
            behind = false;
        }
        return left(snapshot);
    }

    private RouteTable left(Snapshot snapshot) {
        return leftOut.isEmpty() ? whole : RouteTable.of(snapshot, ownership(leftOut));
    }

    /// True if the nginx that was found runs by this already.
    private boolean adopts(VipConfiguration all) {
        keepFiles(all);
        if (nginx.runs(all)) {
            tried = all;
            leftOut = Set.of();
            behind = false;
            return true;
        }
        return false;
    }

    /// Those that must be left out; where that is enough, the same as before.
    private Set<NamespacedName> bad(Snapshot snapshot, VipConfiguration all) {
        if (refusal(all).isEmpty()) {
            return Set.of();
        }
        boolean enough =
                !leftOut.isEmpty() && refusal(configuration(left(snapshot))).isEmpty();
        return enough ? leftOut : search(snapshot);
    }

    private Optional<String> refusal(VipConfiguration configuration) {
        keepFiles(configuration);
        return nginx.test(configuration);
    }

    /// The Ingresses whose part nginx refuses, found by halves.
    private Set<NamespacedName> search(Snapshot snapshot) {
        List<NamespacedName> all = whole.ingresses().map(Ingress::key).sorted().toList();
        Set<NamespacedName> bad = new HashSet<>();
        search(snapshot, all, new HashSet<>(all), bad);
        LOG.warn("event=left-out ingresses={}", bad);
        return bad;
    }

    private void search(
            Snapshot snapshot, List<NamespacedName> some, Set<NamespacedName> all, Set<NamespacedName> bad) {
        Set<NamespacedName> others = new HashSet<>(all);
        others.removeAll(new HashSet<>(some));
        if (refusal(configuration(RouteTable.of(snapshot, ownership(others)))).isEmpty()) {
            return;
        }
        if (some.size() == 1) {
            bad.addAll(some);
            return;
        }
        int half = some.size() / 2;
        search(snapshot, some.subList(0, half), all, bad);
        search(snapshot, some.subList(half, some.size()), all, bad);
    }

    private VipConfiguration configuration(RouteTable some) {
        SharedSettings wanted = SharedSettings.of(some.snapshot(), config.sources(), config.place());
        warnings.tell(wanted.warnings());
        Optional<Certificate> certificate =
                some.snapshot().secrets().find(config.sources().certificate()).flatMap(Certificate::find);
        return VipConfiguration.of(
                some,
                new VipConfiguration.Given(config.place(), wanted.settings(), wanted.passthroughs(), certificate));
    }

    private void keepFiles(VipConfiguration configuration) {
        configuration.files().forEach((name, pem) -> {
            if (!folder.has(name)) {
                folder.writeSecret(name, pem.getBytes(StandardCharsets.UTF_8));
            }
        });
        configuration
                .passwords()
                .forEach((name, lines) -> nginx.keepPasswords(name, lines.getBytes(StandardCharsets.UTF_8)));
    }
}
