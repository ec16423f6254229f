package io.fairlead.announce;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.runtime.TaskGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// The speakers of this node: one for each link and family that has an address to speak for.
final class Speakers implements AutoCloseable {
    private static final int MAX_CONFLICTS = 100;

    private record Place(LocalLink link, Family family) {}

    private final TaskGroup tasks;
    private final AnnouncerMetrics metrics;
    private final Map<Place, LinkSpeaker> speaking = new HashMap<>();
    private final SolicitedGroups groups = new SolicitedGroups();
    private final BlockingQueue<LinkSpeaker.Conflict> conflicts = new ArrayBlockingQueue<>(MAX_CONFLICTS);

    Speakers(TaskGroup tasks, AnnouncerMetrics metrics) {
        this.tasks = tasks;
        this.metrics = metrics;
    }

    /// Speaks for these addresses, each on its link, and for no others.
    void speak(Map<Ip, LocalLink> held) {
        Map<Place, Set<Ip>> wanted = new HashMap<>();
        held.forEach((ip, link) -> wanted.computeIfAbsent(new Place(link, ip.family()), _ -> new HashSet<>())
                .add(ip));
        speaking.entrySet().removeIf(entry -> {
            boolean silent = !wanted.containsKey(entry.getKey());
            if (silent) {
                entry.getValue().hold(Set.of());
                entry.getValue().end();
            }
            return silent;
        });
        groups.follow(held);
        wanted.forEach((place, addresses) ->
                speaking.computeIfAbsent(place, this::start).hold(addresses));
    }

    private LinkSpeaker start(Place place) {
        NeighbourProtocol protocol = switch (place.family()) {
            case IPV4 -> new ArpMessages();
            case IPV6 -> new NdpMessages();
        };
        LinkSpeaker speaker = new LinkSpeaker(place.link(), protocol, conflicts, metrics);
        // On a thread of its own, because it waits inside the kernel.
        tasks.keepOnPlatformThread("announce-%s-%s".formatted(place.link().name(), place.family()), speaker::run);
        return speaker;
    }

    /// What others claimed since the last call.
    List<LinkSpeaker.Conflict> conflicts() {
        List<LinkSpeaker.Conflict> all = new ArrayList<>();
        conflicts.drainTo(all);
        return all;
    }

    @Override
    public void close() {
        speak(Map.of());
        groups.close();
    }
}
