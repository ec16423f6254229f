package io.fairlead.cli;

import io.fairlead.announce.AnnounceConfig;
import io.fairlead.announce.Announcer;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.proxy.Proxy;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// Whether this node answers for the addresses of load balancers, beside its proxy.
final class AnnounceOptions {
    @Option(
            names = "--announce",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Answer ARP and neighbour discovery for load balancer addresses. Default: ${DEFAULT-VALUE}.")
    private boolean announce;

    @Option(
            names = "--announce-lease",
            paramLabel = "SECONDS",
            description = "After how long a silence other nodes take this node's addresses; the same on all nodes."
                    + " Default: 4.")
    private int leaseSeconds = (int) AnnounceConfig.DEFAULT_LEASE.toSeconds();

    AnnounceOptions(boolean announce) {
        this.announce = announce;
    }

    boolean isOn() {
        return announce;
    }

    AnnounceConfig config(String node) {
        try {
            return new AnnounceConfig(node, Duration.ofSeconds(leaseSeconds));
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --announce-lease: " + e.getMessage(), e);
        }
    }

    /// What others want to see, with what an announcer wants: one interest a kind.
    List<Interest> with(List<Interest> others) {
        if (!announce) {
            return others;
        }
        List<Kind> own = Announcer.interests().stream().map(Interest::kind).toList();
        Stream<Interest> rest = others.stream().filter(interest -> !own.contains(interest.kind()));
        return Stream.concat(rest, Announcer.interests().stream()).toList();
    }

    /// Starts the announcer, if it is wanted; call it before the proxy's own start.
    void run(AnnounceConfig config, ApiClient client, Proxy proxy, Reflector reflector, TaskGroup tasks) {
        if (announce) {
            Announcer announcer = new Announcer(config, client, proxy.registry());
            proxy.show("/announced", announcer::text);
            announcer.run(reflector.snapshots(), tasks);
        }
    }
}
