package io.fairlead.commands;

import io.fairlead.announce.AnnounceConfig;
import io.fairlead.announce.Announcer;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.client.Reflector;
import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.sync.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Whether this node answers for the addresses of load balancers, beside its proxy.
final class AnnounceOptions {
    private final OptionSpec announce;
    private final OptionSpec leaseSeconds = OptionSpec.builder("--announce-lease")
            .type(Integer.class)
            .paramLabel("SECONDS")
            .initialValue((int) AnnounceConfig.DEFAULT_LEASE.toSeconds())
            .description("After how long a silence other nodes take this node's addresses; the same on all nodes."
                    + " Default: 4.")
            .build();

    AnnounceOptions(boolean standard) {
        announce = OptionSpec.builder("--announce")
                .type(Boolean.class)
                .arity("0..1")
                .fallbackValue("true")
                .paramLabel("true|false")
                .initialValue(standard)
                .description("Answer ARP and neighbour discovery for load balancer addresses. Default: %s."
                        .formatted(standard))
                .build();
    }

    /// Gives a command these options.
    void addTo(CommandSpec command) {
        command.addOption(announce).addOption(leaseSeconds);
    }

    boolean isOn() {
        return announce.getValue();
    }

    AnnounceConfig config(String node) {
        try {
            return new AnnounceConfig(node, Duration.ofSeconds(leaseSeconds.<Integer>getValue()));
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --announce-lease: " + e.getMessage(), e);
        }
    }

    /// What others want to see, with what an announcer wants: one interest a kind.
    List<Interest> with(List<Interest> others) {
        if (!isOn()) {
            return others;
        }
        List<Kind> own = Announcer.interests().stream().map(Interest::kind).toList();
        Stream<Interest> rest = others.stream().filter(interest -> !own.contains(interest.kind()));
        return Stream.concat(rest, Announcer.interests().stream()).toList();
    }

    /// Starts the announcer, if it is wanted; call it before the proxy's own start.
    void run(AnnounceConfig config, ApiClient client, Proxy proxy, Reflector reflector, TaskGroup tasks) {
        if (isOn()) {
            Announcer announcer = new Announcer(config, client, proxy.registry());
            proxy.show("/announced", announcer::text);
            announcer.run(reflector.snapshots(), tasks);
        }
    }
}
