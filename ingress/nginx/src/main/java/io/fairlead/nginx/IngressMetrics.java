package io.fairlead.nginx;

import java.util.concurrent.atomic.AtomicLong;

/// What the controller counts of itself; nginx counts the requests.
final class IngressMetrics {
    private final AtomicLong reloads = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong feeds = new AtomicLong();
    private final AtomicLong waits = new AtomicLong();

    void reloaded() {
        reloads.incrementAndGet();
    }

    void failed() {
        failures.incrementAndGet();
    }

    void fed() {
        feeds.incrementAndGet();
    }

    void waited() {
        waits.incrementAndGet();
    }

    long reloads() {
        return reloads.get();
    }

    String text() {
        return CountsText.counter("fairlead_ingress_reloads_total", "Reloads of nginx", reloads.get())
                + CountsText.counter("fairlead_ingress_failures_total", "What nginx did not take", failures.get())
                + CountsText.counter("fairlead_ingress_feeds_total", "Changes without a reload", feeds.get())
                + CountsText.counter(
                        "fairlead_ingress_reload_waits_total", "Reloads that waited for old workers", waits.get());
    }
}
