package io.fairlead.agent;

import static io.fairlead.agent.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.containers.ProbeResults;
import io.fairlead.containers.ProcessId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class PodStatusTest {
    private static final List<Ip> NODE = List.of(Ip.parse("192.0.2.1"));
    private static final List<Ip> ADDRESSES = List.of(Ip.parse("10.1.0.2"), Ip.parse("fd00::2"));

    private final Pod pod = TestPods.pod();

    @Test
    void a_pod_that_runs_and_is_ready_says_so_in_all_its_fields() {
        ObjectNode status = status(TestPods.running(pod).withAddresses(ADDRESSES), Set.of("echo"));

        assertThat(Json.pretty(status)).isEqualTo(Json.pretty(json("""
            {'phase': 'Running', 'startTime': '2026-11-15T12:00:00Z', 'qosClass': 'BestEffort',
             'hostIP': '192.0.2.1', 'hostIPs': [{'ip': '192.0.2.1'}],
             'podIP': '10.1.0.2', 'podIPs': [{'ip': '10.1.0.2'}, {'ip': 'fd00::2'}],
             'conditions': [
              {'type': 'PodScheduled', 'status': 'True', 'lastTransitionTime': '2026-11-15T12:00:00Z'},
              {'type': 'Initialized', 'status': 'True', 'lastTransitionTime': '2026-11-15T12:00:00Z'},
              {'type': 'ContainersReady', 'status': 'True', 'lastTransitionTime': '2026-11-15T12:00:00Z'},
              {'type': 'Ready', 'status': 'True', 'lastTransitionTime': '2026-11-15T12:00:00Z'}],
             'containerStatuses': [
              {'name': 'echo', 'image': 'fairlead/echo:1', 'imageID': 'fairlead/echo:1', 'ready': true,
               'started': true, 'restartCount': 0, 'containerID': 'fairlead://u-1/echo/0',
               'state': {'running': {'startedAt': '2026-11-15T12:00:00Z'}}, 'lastState': {}}]}\
            """)));
    }

    @Test
    void a_pod_is_not_ready_while_a_container_is_not() {
        Pod read = Pod.of(Json.object().set("status", status(TestPods.running(pod), Set.of())));

        assertThat(read.status().ready()).isFalse();
        assertThat(read.status().phase()).isEqualTo("Running");
    }

    @Test
    void a_condition_keeps_the_time_it_came_and_those_of_others_stay() {
        JsonNode before = json("""
            {'conditions': [
             {'type': 'Ready', 'status': 'False', 'lastTransitionTime': '2026-01-01T00:00:00Z'},
             {'type': 'ContainersReady', 'status': 'True', 'lastTransitionTime': '2026-01-01T00:00:00Z'},
             {'type': 'example.com/gate', 'status': 'True'}]}\
            """);

        ObjectNode status = PodStatus.of(view(TestPods.running(pod), Set.of("echo")), before, NOW);

        assertThat(condition(status, "Ready")).contains("2026-11-15T12:00:00Z");
        assertThat(condition(status, "ContainersReady")).contains("2026-01-01T00:00:00Z");
        assertThat(condition(status, "example.com/gate")).contains("True");
    }

    @Test
    void a_pod_is_ready_only_behind_open_readiness_gates() {
        Pod gated = TestPods.pod("", ", 'readinessGates': [{'conditionType': 'a/b'}, {'conditionType': 'c/d'}]");
        JsonNode half = json("{'conditions': [{'type': 'a/b', 'status': 'True'}, {'type': 'c/d', 'status': 'False'}]}");
        JsonNode open = json("{'conditions': [{'type': 'a/b', 'status': 'True'}, {'type': 'c/d', 'status': 'True'}]}");

        assertThat(condition(gated(gated, json("{}")), "Ready"))
                .contains("False", "ReadinessGatesNotReady")
                .contains("corresponding condition of pod readiness gate \\\"a/b\\\" does not exist.");
        assertThat(condition(gated(gated, json("{}")), "ContainersReady")).contains("True");
        assertThat(condition(gated(gated, half), "Ready"))
                .contains("the status of pod readiness gate \\\"c/d\\\" is not \\\"True\\\", but False")
                .doesNotContain("a/b");
        assertThat(condition(gated(gated, open), "Ready")).contains("True").doesNotContain("reason");
    }

    private static ObjectNode gated(Pod pod, JsonNode before) {
        ProbeResults health = new ProbeResults(Set.of("echo"), Set.of("echo"), Map.of(), Map.of());
        return PodStatus.of(new PodStatus.View(pod, TestPods.running(pod), health, "", NODE), before, NOW);
    }

    @Test
    void a_status_that_says_nothing_new_is_not_different() {
        ObjectNode first = status(TestPods.running(pod), Set.of("echo"));
        ObjectNode stored = first.deepCopy().put("resize", "");

        ObjectNode second = PodStatus.of(view(TestPods.running(pod), Set.of("echo")), stored, NOW.plusSeconds(60));
        ObjectNode third = PodStatus.of(view(TestPods.running(pod), Set.of()), stored, NOW.plusSeconds(60));

        assertThat(PodStatus.differs(second, stored)).isFalse();
        assertThat(PodStatus.differs(third, stored)).isTrue();
    }

    @Test
    void a_container_that_waits_for_its_next_start_shows_how_it_ended() {
        JsonNode container = container(status(TestPods.exited(TestPods.running(pod), 3, NOW), Set.of()));

        assertThat(Json.text(container, "state", "waiting", "reason")).isEqualTo("CrashLoopBackOff");
        assertThat(Json.number(container, 0, "lastState", "terminated", "exitCode"))
                .isEqualTo(3);
    }

    @Test
    void an_unknown_image_and_a_failed_network_are_reasons_to_wait() {
        PodRecord refused =
                TestPods.record(pod).with("echo", c -> c.withoutImage("ErrImagePull", "not in the table", NOW));
        PodStatus.View stuck =
                new PodStatus.View(pod, TestPods.record(pod), ProbeResults.UNKNOWN, "no address is left", NODE);

        assertThat(container(status(refused, Set.of())).path("state"))
                .isEqualTo(json("{'waiting': {'reason': 'ErrImagePull', 'message': 'not in the table'}}"));
        assertThat(Json.text(status(refused, Set.of()), "phase")).isEqualTo("Pending");
        assertThat(container(PodStatus.of(stuck, Json.object(), NOW)).path("state"))
                .isEqualTo(json("{'waiting': {'reason': 'ContainerCreating', 'message': 'no address is left'}}"));
    }

    @Test
    void an_ephemeral_container_has_a_status_of_its_own_and_no_other_waits_for_it() {
        Pod watched = TestPods.pod("", ", 'ephemeralContainers': [{'name': 'debug', 'image': 'busybox'}]");
        PodRecord record = TestPods.running(watched).with("debug", c -> c.started(new ProcessId(4712, 99), NOW));
        ProbeResults health = new ProbeResults(Set.of("echo"), Set.of("echo"), Map.of(), Map.of());
        ObjectNode status = PodStatus.of(new PodStatus.View(watched, record, health, "", NODE), Json.object(), NOW);

        assertThat(status.path("containerStatuses")).hasSize(1);
        JsonNode debug = status.path("ephemeralContainerStatuses").path(0);
        assertThat(Json.text(debug, "name")).isEqualTo("debug");
        assertThat(debug.path("state").has("running")).isTrue();
        assertThat(condition(status, "Ready")).contains("True");
    }

    @Test
    void a_pod_that_may_not_restart_is_over_when_it_ended() {
        Pod job = TestPods.pod("", ", 'restartPolicy': 'Never'");

        assertThat(phase(job, 0)).isEqualTo("Succeeded");
        assertThat(phase(job, 1)).isEqualTo("Failed");
        assertThat(phase(pod, 1)).isEqualTo("Running");
        assertThat(phase(TestPods.leaving(30), 1)).isEqualTo("Failed");
    }

    private static String phase(Pod pod, int exitCode) {
        PodRecord record = TestPods.exited(TestPods.running(pod), exitCode, NOW);
        return Json.text(
                PodStatus.of(new PodStatus.View(pod, record, ProbeResults.UNKNOWN, "", NODE), Json.object(), NOW),
                "phase");
    }

    private ObjectNode status(PodRecord record, Set<String> ready) {
        return PodStatus.of(view(record, ready), Json.object(), NOW);
    }

    private PodStatus.View view(PodRecord record, Set<String> ready) {
        return new PodStatus.View(
                pod,
                record,
                new ProbeResults(ready, ready, Map.of(), Map.of()),
                "",
                NODE,
                Map.of("echo", "fairlead/echo:1"));
    }

    private static JsonNode container(JsonNode status) {
        return status.path("containerStatuses").path(0);
    }

    private static String condition(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(c -> Json.text(c, "type").equals(type))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
