package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import java.time.Duration;
import java.time.Instant;

/// Where each request is counted and written down once it is answered.
record RequestLog(ServerMetrics metrics, AuditLog audit) {
    void answered(Exchange exchange, int code, String address, Instant now) {
        AccessRequest done = RequestAttributes.of(exchange.user(), exchange.request());
        Duration took = Duration.between(exchange.begin(), now);
        metrics.answered(done, code, took);
        audit.write(new AuditLog.Entry(exchange.begin(), exchange.sender(), done, code, took, address));
    }
}
