package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.StoreKey;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskMetrics;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/// What the server counts, under the names that dashboards for Kubernetes know.
final class ServerMetrics {
    private static final Set<String> VERBS =
            Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter requests = Counter.builder()
            .name("apiserver_request_total")
            .help("Requests answered, by verb, resource and code.")
            .labelNames("verb", "resource", "code")
            .withoutExemplars() // there are no traces that they could name
            .register(registry);
    private final Histogram durations = Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("How long requests took, watches excepted.")
            .labelNames("verb")
            .withoutExemplars()
            .classicOnly()
            .classicUpperBounds(0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30)
            .register(registry);
    private final Gauge watchers = Gauge.builder()
            .name("apiserver_registered_watchers")
            .help("Watches that are open now.")
            .register(registry);

    private final Histogram writes = Histogram.builder()
            .name("etcd_request_duration_seconds")
            .help("How long writes to the store took, etcd or another, by operation and resource.")
            .labelNames("operation", "type")
            .withoutExemplars()
            .classicOnly()
            .classicUpperBounds(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
            .register(registry);

    private final Counter rejections = Counter.builder()
            .name("apiserver_flowcontrol_rejected_requests_total")
            .help("Requests that found no place in time, by level.")
            .labelNames("priority_level")
            .withoutExemplars()
            .register(registry);
    private final Counter failures = Counter.builder()
            .name("fairlead_request_failures_total")
            .help("Requests that failed by a fault of this server, by its kind.")
            .labelNames("fault")
            .withoutExemplars()
            .register(registry);
    private final Counter cuts = Counter.builder()
            .name("fairlead_connections_ended_total")
            .help("Connections that were ended because a handshake or a header did not come in time.")
            .withoutExemplars()
            .register(registry);
    private final TaskMetrics tasks = new TaskMetrics(registry);
    private final Map<String, IntSupplier> inflight = new ConcurrentHashMap<>();
    private final Map<String, IntSupplier> inqueue = new ConcurrentHashMap<>();

    ServerMetrics() {
        tellLevels();
    }

    /// Begins to tell how large the cache is: asked when a client scrapes.
    void tellOf(WatchCache cache) {
        GaugeWithCallback.builder()
                .name("apiserver_storage_objects")
                .help("Objects that are stored, by resource.")
                .labelNames("resource")
                .callback(gauge -> cache.kinds().forEach(kind -> gauge.call(kind.size(), resource(kind))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("apiserver_watch_cache_events")
                .help("Recent changes that are kept for watches, by resource.")
                .labelNames("resource")
                .callback(gauge -> cache.kinds().forEach(kind -> gauge.call(kind.recent(), resource(kind))))
                .register(registry);
    }

    private static String resource(KindCache cache) {
        return StoreKey.prefix(cache.kind());
    }

    /// Begins to tell how many requests of a level are answered, and how many wait for that.
    void tellOf(String level, IntSupplier taken, IntSupplier waiting) {
        inflight.put(level, taken);
        inqueue.put(level, waiting);
    }

    /// Of the tasks of this program.
    TaskMetrics tasks() {
        return tasks;
    }

    /// A connection on which nothing was asked for too long.
    void cut() {
        cuts.inc();
    }

    void rejected(String level) {
        rejections.labelValues(level.toLowerCase(Locale.ROOT)).inc();
    }

    /// A fault of ours in one request: it ends there, but should not have been.
    void failed(String what) {
        failures.labelValues(what).inc();
    }

    private void tellLevels() {
        levels(
                "apiserver_flowcontrol_current_executing_requests",
                "Requests that are answered now, by level.",
                inflight);
        levels("apiserver_flowcontrol_current_inqueue_requests", "Requests that wait for a place, by level.", inqueue);
    }

    private void levels(String name, String help, Map<String, IntSupplier> numbers) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("priority_level")
                .callback(gauge -> numbers.forEach(
                        (level, number) -> gauge.call(number.getAsInt(), level.toLowerCase(Locale.ROOT))))
                .register(registry);
    }

    void stored(String operation, String resource, long nanos) {
        writes.labelValues(operation, resource).observe(nanos / 1e9);
    }

    void answered(AccessRequest request, int code, Duration duration) {
        String verb = VERBS.contains(request.verb()) ? request.verb() : "other";
        requests.labelValues(verb.toUpperCase(Locale.ROOT), resource(request.on()), Integer.toString(code))
                .inc();
        if (!verb.equals("watch")) {
            durations.labelValues(verb.toUpperCase(Locale.ROOT)).observe(duration.toNanos() / 1e9);
        }
    }

    /// Paths are not counted one by one: a client that asks for many would fill our memory.
    private static String resource(AccessRequest.Target on) {
        return switch (on) {
            case AccessRequest.Path _ -> "";
            case AccessRequest.Resource resource -> resource.resource();
        };
    }

    void watchBegins() {
        watchers.inc();
    }

    void watchEnds() {
        watchers.dec();
    }

    /// The text that Prometheus scrapes.
    String text() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static String contentType() {
        return PrometheusTextFormatWriter.CONTENT_TYPE;
    }
}
