package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServiceVariablesTest {
    private final Snapshot snapshot = Snapshot.EMPTY
            .with(service("default", "kubernetes", "10.96.0.1", "{'name': 'https', 'port': 443}"))
            .with(service(
                    "default",
                    "svc-echo",
                    "10.96.0.7",
                    "{'port': 8080}, {'name': 'dns-udp', 'port': 53, 'protocol': 'UDP'}"))
            .with(service("default", "headless", "None", "{'port': 80}"))
            .with(service("other", "elsewhere", "10.96.0.9", "{'port': 80}"))
            .with(service("default", "six", "fd00::7", "{'port': 80}"));

    @Test
    void a_service_of_the_namespace_gives_both_kinds_of_variables() {
        Map<String, String> variables = ServiceVariables.of(snapshot, TestPods.pod());

        assertThat(variables)
                .containsEntry("SVC_ECHO_SERVICE_HOST", "10.96.0.7")
                .containsEntry("SVC_ECHO_SERVICE_PORT", "8080")
                .containsEntry("SVC_ECHO_SERVICE_PORT_DNS_UDP", "53")
                .containsEntry("SVC_ECHO_PORT", "tcp://10.96.0.7:8080")
                .containsEntry("SVC_ECHO_PORT_8080_TCP", "tcp://10.96.0.7:8080")
                .containsEntry("SVC_ECHO_PORT_8080_TCP_PROTO", "tcp")
                .containsEntry("SVC_ECHO_PORT_8080_TCP_PORT", "8080")
                .containsEntry("SVC_ECHO_PORT_8080_TCP_ADDR", "10.96.0.7")
                .containsEntry("SVC_ECHO_PORT_53_UDP", "udp://10.96.0.7:53")
                .containsEntry("KUBERNETES_SERVICE_PORT_HTTPS", "443")
                .containsEntry("SIX_PORT", "tcp://[fd00::7]:80");
        assertThat(variables.keySet()).noneMatch(name -> name.startsWith("HEADLESS") || name.startsWith("ELSEWHERE"));
    }

    @Test
    void a_pod_without_links_gets_the_variables_of_the_api_alone() {
        Map<String, String> variables =
                ServiceVariables.of(snapshot, TestPods.pod("", ", 'enableServiceLinks': false"));

        assertThat(variables.keySet()).isNotEmpty().allMatch(name -> name.startsWith("KUBERNETES_"));
    }

    private static Service service(String namespace, String name, String ip, String ports) {
        return Service.of(Json.parse("""
            {'metadata': {'namespace': '%s', 'name': '%s'}, 'spec': {'clusterIP': '%s', 'ports': [%s]}}\
            """.formatted(namespace, name, ip, ports).replace('\'', '"')));
    }
}
