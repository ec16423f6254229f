package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SecurityPlanTest {
    private static final UserTable USERS = new UserTable(
            List.of(row("root:x:0:0:root:/root:/bin/sh"), row("web:x:33:34:web:/srv:/bin/sh")),
            List.of(row("root:x:0:"), row("web:x:34:"), row("logs:x:40:web")));

    @Test
    void a_container_runs_as_its_image_says_and_as_its_pod_says_before_that() {
        SecurityPlan image = plan("", "", "web");
        assertThat(image.user().id()).isEqualTo(33);
        assertThat(image.user().group()).isEqualTo(34);
        assertThat(image.user().groups()).containsExactly(40L);
        assertThat(image.home()).isEqualTo("/srv");

        SecurityPlan pod = plan("'runAsUser': 5, 'runAsGroup': 6, 'fsGroup': 7, 'supplementalGroups': [8]", "", "web");
        assertThat(pod.user().id()).isEqualTo(5);
        assertThat(pod.user().group()).isEqualTo(6);
        assertThat(pod.user().groups()).containsExactlyInAnyOrder(7L, 8L);

        assertThat(plan("'runAsUser': 5", "'runAsUser': 9", "web").user().id()).isEqualTo(9);
    }

    @Test
    void one_that_must_not_be_root_is_refused_where_it_would_be() {
        assertThatThrownBy(() -> plan("'runAsNonRoot': true", "", "")).hasMessageContaining("will run as root");
        assertThatThrownBy(() -> plan("'runAsNonRoot': true", "", "web"))
                .hasMessageContaining("non-numeric user (web)");
        assertThatThrownBy(() -> plan("'runAsNonRoot': true", "'runAsUser': 0", "web"))
                .hasMessageContaining("runAsUser breaks non-root policy");
        assertThat(plan("'runAsNonRoot': true", "", "33").user().id()).isEqualTo(33);
        assertThat(plan("'runAsNonRoot': true", "'runAsUser': 1", "").user().id())
                .isEqualTo(1);
    }

    @Test
    void capabilities_are_added_and_dropped() {
        assertThat(capabilities("'drop': ['ALL']")).isEmpty();
        assertThat(capabilities("'drop': ['ALL'], 'add': ['NET_BIND_SERVICE']")).containsExactly("NET_BIND_SERVICE");
        assertThat(capabilities("'add': ['CAP_NET_ADMIN'], 'drop': ['MKNOD']"))
                .contains("NET_ADMIN", "CHOWN")
                .doesNotContain("MKNOD");
        assertThatThrownBy(() -> capabilities("'add': ['FLY']")).hasMessageContaining("capabilities.add");
    }

    @Test
    void privileges_are_the_standard_ones_unless_the_pod_says_otherwise() {
        assertThat(plan("", "", "").privileges().seccomp()).isTrue();
        assertThat(plan("", "", "").privileges().noNewPrivileges()).isFalse();
        assertThat(plan("", "'allowPrivilegeEscalation': false", "")
                        .privileges()
                        .noNewPrivileges())
                .isTrue();
        assertThat(plan("'seccompProfile': {'type': 'Unconfined'}", "", "")
                        .privileges()
                        .seccomp())
                .isFalse();
        assertThat(plan("", "'privileged': true", "").privileges().capabilities())
                .contains("SYS_ADMIN");
    }

    @Test
    void what_no_node_honours_is_refused_by_its_name() {
        assertThatThrownBy(() -> plan("'seccompProfile': {'type': 'Localhost', 'localhostProfile': 'p.json'}", "", ""))
                .hasMessageContaining("seccompProfile.localhostProfile");
        assertThatThrownBy(() -> plan("'sysctls': [{'name': 'kernel.msgmax', 'value': '1'}]", "", ""))
                .hasMessageContaining("kernel.msgmax");
        assertThat(plan("'sysctls': [{'name': 'net.ipv4.ip_unprivileged_port_start', 'value': '0'}]", "", "")
                        .sysctls())
                .hasSize(1);
    }

    private static java.util.Set<String> capabilities(String text) {
        return plan("", "'capabilities': {%s}".formatted(text), "").privileges().capabilities();
    }

    private static SecurityPlan plan(String podContext, String context, String imageUser) {
        Pod pod = TestPods.parse("""
            {'spec': {'securityContext': {%s}, 'containers': [{'name': 'c', 'securityContext': {%s}}]}}\
            """.formatted(podContext, context));
        ImageConfig image = new ImageConfig(List.of(), List.of(), Map.of(), imageUser, "", "");
        return SecurityPlan.of(pod, pod.spec().containers().getFirst(), image, USERS);
    }

    private static String[] row(String line) {
        return line.split(":", -1);
    }
}
