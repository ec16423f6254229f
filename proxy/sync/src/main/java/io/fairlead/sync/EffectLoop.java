package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.EffectCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks now and then whether what the layers programmed has its effect where the pods are, and tells [Health].
final class EffectLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EffectLoop.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final String node;
    private final Modes modes;
    private final Health health;
    private Map<String, String> known = Map.of();

    EffectLoop(String node, Modes modes, Health health) {
        this.node = node;
        this.modes = modes;
        this.health = health;
    }

    /// The first look is soon after the first program.
    void run(SyncJournal journal) throws InterruptedException {
        while (true) {
            Optional<Snapshot> synced = journal.last().map(SyncJournal.Synced::snapshot);
            synced.ifPresent(this::look);
            Thread.sleep(synced.isPresent() ? PERIOD : SOON);
        }
    }

    void look(Snapshot snapshot) {
        List<Cidr> pods = snapshot.nodes()
                .find(new NamespacedName("", node))
                .map(Node::podCidrs)
                .orElse(List.of());
        Map<String, String> found = new TreeMap<>();
        for (Programmer<?> programmer : modes.current().programmers()) {
            programmer
                    .backend()
                    .abilities()
                    .effect()
                    .flatMap(check -> problem(check, pods))
                    .ifPresent(problem -> found.put(programmer.layer(), problem));
        }
        tell(found);
    }

    private static Optional<String> problem(EffectCheck check, List<Cidr> pods) {
        try {
            return check.problem(pods);
        } catch (ApplyException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// A problem is logged when it comes, and when it goes.
    private void tell(Map<String, String> found) {
        found.forEach((layer, problem) -> {
            if (!known.containsKey(layer)) {
                LOG.warn("event=without-effect layer={} reason=\"{}\"", layer, problem);
            }
        });
        known.keySet().stream()
                .filter(layer -> !found.containsKey(layer))
                .forEach(layer -> LOG.info("event=effect-restored layer={}", layer));
        known = Map.copyOf(found);
        health.effects(found);
    }
}
