package io.fairlead.resolver;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Name;

/// All that an answer depends on besides the question; a new configuration is a new one of these.
record Setup(DnsConfig config, Zones zones, Resolver resolver, Forwarder forwarder, LoopWatch loops, Slow slow) {
    /// The one in force.
    static final class Current {
        private volatile Setup setup;

        Current(Setup first) {
            this.setup = first;
        }

        Setup now() {
            return setup;
        }

        void set(Setup newer) {
            setup = newer;
        }
    }

    static Setup of(DnsConfig config, Zones zones, TaskGroup tasks) {
        Forwarder forwarder = new Forwarder(config.forwards(), config.upstream().mixedCase());
        return new Setup(
                config,
                zones,
                new Resolver(config, zones, forwarder),
                forwarder,
                new LoopWatch(forwarder::cut),
                new Slow(tasks, config.upstream()));
    }

    /// Fetches a name anew that is asked for often.
    void fetch(Name name, int type) {
        slow.start("refresh", () -> resolver.fetch(name, type));
    }

    /// Asks every zone's servers for a name that none but us knows, and so finds those who ask us in turn.
    void look() {
        forwarder.zones().forEach(zone -> slow.start("loop", () -> forwarder.ask(loops.probe(zone), LoopWatch.TYPE)));
    }
}
