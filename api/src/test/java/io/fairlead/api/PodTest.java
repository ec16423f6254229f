package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod.RestartPolicy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PodTest {

    @Test
    void a_deletion_may_shorten_the_grace_period_of_the_spec() {
        Pod living = pod("{'spec': {'terminationGracePeriodSeconds': 20}}");
        Pod leaving =
                pod("{'metadata': {'deletionGracePeriodSeconds': 0}, 'spec': {'terminationGracePeriodSeconds': 20}}");

        assertThat(living.gracePeriodSeconds()).isEqualTo(20);
        assertThat(leaving.gracePeriodSeconds()).isZero();
        assertThat(pod("{}").gracePeriodSeconds()).isEqualTo(30);
    }

    @Test
    void a_container_without_a_probe_is_asked_nothing() {
        assertThat(probe("{}").action()).isEqualTo(new Probe.Action.None());
    }

    @Test
    void an_http_probe_has_the_defaults_of_the_api() {
        Probe probe = probe("{'readinessProbe': {'httpGet': {'port': 'web', 'path': 'ready'}}}");

        assertThat(probe)
                .isEqualTo(new Probe(
                        new Probe.Action.HttpGet("HTTP", "", new PortReference.ByName("web"), "/ready", Map.of()),
                        0,
                        1,
                        10,
                        1,
                        3,
                        -1));
    }

    @Test
    void variables_volumes_and_names_are_read_as_the_api_spells_them() {
        Pod pod = pod("""
            {'spec': {'dnsConfig': {'options': [{'name': 'ndots', 'value': '2'}, {'name': 'rotate'}]},
             'volumes': [{'name': 'a', 'emptyDir': {}}, {'name': 'b', 'nfs': {'server': 'x'}},
                         {'name': 'c', 'projected': {'sources': [{'secret': {'name': 's'}},
                           {'downwardAPI': {'items': [{'path': 'l', 'fieldRef': {'fieldPath': 'metadata.name'}}]}}]}}],
             'containers': [{'env': [{'name': 'A', 'value': 'x'},
                {'name': 'B', 'valueFrom': {'configMapKeyRef': {'name': 'm', 'key': 'k', 'optional': true}}}]}]}}\
            """);

        assertThat(pod.spec().containers().getFirst().env())
                .containsExactly(
                        new EnvVar("A", new EnvVar.Source.Value("x")),
                        new EnvVar("B", new EnvVar.Source.Key(Kind.CONFIG_MAP, "m", "k", true)));
        PodSurroundings around = pod.spec().surroundings();
        assertThat(around.dns().policy()).isEqualTo("ClusterFirst");
        assertThat(around.dns().options()).containsExactly("ndots:2", "rotate");
        assertThat(around.volumes().stream().map(Volume::source))
                .containsExactly(
                        new Volume.Source.EmptyDir(false, 0),
                        new Volume.Source.Unsupported("nfs"),
                        new Volume.Source.Files(
                                List.of(
                                        new Volume.Projection.Values(Kind.SECRET, "s", Map.of(), false),
                                        new Volume.Projection.Fields(Map.of("l", "metadata.name"))),
                                0644));
    }

    @Test
    void a_tcp_probe_keeps_what_is_said() {
        Probe probe =
                probe("{'readinessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 2, 'failureThreshold': 5}}");

        assertThat(probe.action()).isEqualTo(new Probe.Action.TcpSocket("", new PortReference.ByNumber(80)));
        assertThat(probe.periodSeconds()).isEqualTo(2);
        assertThat(probe.failureThreshold()).isEqualTo(5);
    }

    @Test
    void the_restart_policy_decides_after_an_exit_code() {
        assertThat(pod("{}").spec().restartPolicy()).isEqualTo(RestartPolicy.ALWAYS);
        assertThat(RestartPolicy.ALWAYS.restartsAfter(0)).isTrue();
        assertThat(RestartPolicy.ON_FAILURE.restartsAfter(0)).isFalse();
        assertThat(RestartPolicy.ON_FAILURE.restartsAfter(1)).isTrue();
        assertThat(RestartPolicy.NEVER.restartsAfter(1)).isFalse();
    }

    private static Probe probe(String container) {
        return pod("{'spec': {'containers': [" + container + "]}}")
                .spec()
                .containers()
                .getFirst()
                .readinessProbe();
    }

    private static Pod pod(String json) {
        return Pod.of(Json.parse(json.replace('\'', '"')));
    }
}
