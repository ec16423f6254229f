package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.Ending;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.ProcessId;
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

    static PodRecord record(Pod pod) {
        return PodRecord.of(pod, PodNames.of("fl-one", pod), NOW);
    }

    static PodRecord running(Pod pod) {
        return record(pod).with("echo", c -> c.started(new ProcessId(4711, 99), NOW));
    }

    static PodRecord exited(PodRecord record, int exitCode, Instant at) {
        return record.with("echo", c -> c.exited((ContainerRecord.State.Running) c.now(), Ending.of(exitCode), at));
    }
}
