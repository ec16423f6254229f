package io.fairlead.containers;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import java.time.Instant;

/// Pods for tests, out of JSON with single quotes.
final class TestPods {
    static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private TestPods() {}

    /// `default/web` on node `one` with one container `echo`; `spec` and `metadata` add fields.
    static Pod pod(String metadata, String spec) {
        return parse("""
                {'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u-1'%s},
                 'spec': {'nodeName': 'one', 'containers': [{'name': 'echo', 'image': 'fairlead/echo:1'}]%s}}""".formatted(metadata, spec));
    }

    static Pod pod() {
        return pod("", "");
    }

    static Pod leaving(int graceSeconds) {
        return pod(", 'deletionTimestamp': '2026-11-15T12:00:30Z', 'deletionGracePeriodSeconds': " + graceSeconds, "");
    }

    static Pod parse(String json) {
        return Pod.of(Json.parse(json.replace('\'', '"')));
    }
}
