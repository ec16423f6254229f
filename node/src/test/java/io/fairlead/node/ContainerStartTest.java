package io.fairlead.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContainerStartTest {
    private final Pod pod = TestPods.parse("""
            {'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u-1'},
             'spec': {'containers': [{'name': 'echo', 'env': [
              {'name': 'GREETING', 'value': 'hello'}, {'name': 'HOSTNAME', 'value': 'mine'}]}]}}""");
    private final ContainerStart start = new ContainerStart(
            TestPods.record(pod).withAddresses(List.of(Ip.parse("10.1.0.2"), Ip.parse("fd00::2"))),
            pod.spec().containers().getFirst(),
            List.of("sleep", "5"));

    @Test
    void the_program_starts_in_a_session_and_a_network_of_its_own() {
        PodNames names = PodNames.of("fl-one", pod);

        assertThat(start.fullCommand())
                .containsExactly(
                        "/usr/bin/setsid",
                        "/usr/bin/nsenter",
                        "--net=/run/netns/" + names.namespace(),
                        "--",
                        "sleep",
                        "5");
    }

    @Test
    void it_knows_who_it_is_and_its_own_variables_win() {
        assertThat(start.environment())
                .containsEntry("POD_NAME", "web")
                .containsEntry("POD_NAMESPACE", "default")
                .containsEntry("POD_IP", "10.1.0.2")
                .containsEntry("GREETING", "hello")
                .containsEntry("HOSTNAME", "mine");
    }
}
