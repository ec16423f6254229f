package io.fairlead.dist;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Interest;
import io.fairlead.client.Watch;
import io.fairlead.client.WatchEvent;
import io.fairlead.dist.Traffic.Answer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// Follows the slices of a Service and remembers when each pod left the ready ones.
final class SliceHistory implements AutoCloseable {
    private final Map<String, Long> left = new ConcurrentHashMap<>();
    private final ApiClient client;
    private final Watch watch;

    SliceHistory(ClusterAccess access, String service) throws InterruptedException {
        client = new ApiClient(access);
        Interest slices = Interest.labelled(Kind.ENDPOINT_SLICE, EndpointSlice.SERVICE_NAME + "=" + service);
        watch = client.watch(slices, "default", Revision.ZERO);
        Thread.ofPlatform().name("slices of " + service).start(this::follow);
    }

    /// How long after its pod had left was the latest connection begun that still went there.
    Duration longestUseAfterLeaving(List<Answer> answers) {
        long longest = answers.stream()
                .filter(Answer.From.class::isInstance)
                .map(Answer.From.class::cast)
                .filter(answer -> left.containsKey(answer.pod()))
                .mapToLong(answer -> answer.begun() - left.getOrDefault(answer.pod(), answer.begun()))
                .max()
                .orElseThrow(() -> new AssertionError("no pod left: nothing was shown"));
        return Duration.ofNanos(Math.max(longest, 0));
    }

    private void follow() {
        Set<String> ready = new HashSet<>();
        try {
            while (true) {
                var event = watch.next();
                if (event.isEmpty()) {
                    return;
                }
                Set<String> now = readyPods(event.get(), ready);
                ready.stream().filter(pod -> !now.contains(pod)).forEach(pod -> left.put(pod, System.nanoTime()));
                ready = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Set<String> readyPods(WatchEvent<ObjectNode> event, Set<String> before) {
        return switch (event) {
            case WatchEvent.Added<ObjectNode>(var slice) -> readyPods(slice);
            case WatchEvent.Modified<ObjectNode>(var slice) -> readyPods(slice);
            case WatchEvent.Deleted<ObjectNode> _ -> Set.of();
            case WatchEvent.Bookmark<ObjectNode> _ -> before;
        };
    }

    private static Set<String> readyPods(ObjectNode slice) {
        Set<String> pods = new HashSet<>();
        EndpointSlice.of(slice).endpoints().stream()
                .filter(EndpointSlice.Endpoint::ready)
                .forEach(endpoint -> pods.add(endpoint.podName()));
        return pods;
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
