package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a Service is where its author did not say (A1).
final class ServiceDefaultsTest {
    static ObjectNode yaml(String text) {
        return (ObjectNode) Yaml.parseAll(text).getFirst();
    }

    private static JsonNode filled(String spec) {
        ObjectNode service = yaml("spec: " + spec);
        ServiceDefaults.fill(service);
        return service.path("spec");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|{type: ClusterIP, sessionAffinity: None, internalTrafficPolicy: Cluster}",
                "{type: ''}|{type: ClusterIP, sessionAffinity: None, internalTrafficPolicy: Cluster}",
                "{type: ExternalName}|{type: ExternalName, sessionAffinity: None}",
                "{type: NodePort}|{type: NodePort, sessionAffinity: None, internalTrafficPolicy: Cluster,"
                        + " externalTrafficPolicy: Cluster}",
                "{type: NodePort, externalTrafficPolicy: Local}|{type: NodePort, externalTrafficPolicy: Local,"
                        + " sessionAffinity: None, internalTrafficPolicy: Cluster}",
                "{externalIPs: [192.0.2.1]}|{externalIPs: [192.0.2.1], type: ClusterIP, sessionAffinity: None,"
                        + " internalTrafficPolicy: Cluster, externalTrafficPolicy: Cluster}",
                "{type: LoadBalancer}|{type: LoadBalancer, sessionAffinity: None, internalTrafficPolicy: Cluster,"
                        + " externalTrafficPolicy: Cluster, allocateLoadBalancerNodePorts: true}",
                "{type: LoadBalancer, allocateLoadBalancerNodePorts: false}|{type: LoadBalancer,"
                        + " allocateLoadBalancerNodePorts: false, sessionAffinity: None, internalTrafficPolicy: Cluster,"
                        + " externalTrafficPolicy: Cluster}",
            })
    void each_type_has_its_own(String spec, String expected) {
        assertThat(filled(spec)).isEqualTo(yaml(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{port: 80}|{port: 80, protocol: TCP, targetPort: 80}",
                "{port: 80, targetPort: 0}|{port: 80, targetPort: 80, protocol: TCP}",
                "{port: 80, targetPort: ''}|{port: 80, targetPort: 80, protocol: TCP}",
                "{port: 80, targetPort: web, protocol: UDP}|{port: 80, targetPort: web, protocol: UDP}",
                "{port: 80, targetPort: 8080, nodePort: 0}|{port: 80, targetPort: 8080, protocol: TCP}",
            })
    void a_port_leads_to_the_same_number_by_tcp(String port, String expected) {
        assertThat(filled("{ports: [" + port + "]}").path("ports").path(0)).isEqualTo(yaml(expected));
    }

    @Test
    void a_client_keeps_its_endpoint_for_three_hours() {
        assertThat(filled("{sessionAffinity: ClientIP}").path("sessionAffinityConfig"))
                .isEqualTo(yaml("{clientIP: {timeoutSeconds: 10800}}"));
    }

    @Test
    void affinity_that_is_turned_off_takes_its_settings_along() {
        String spec = "{sessionAffinity: None, sessionAffinityConfig: {clientIP: {timeoutSeconds: 60}}}";
        assertThat(filled(spec).has("sessionAffinityConfig")).isFalse();
    }

    @Test
    void the_address_of_a_balancer_is_a_vip_until_it_says_no() {
        ObjectNode service = yaml(
                "{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 1.2.3.4}, {hostname: a.b}, {ip:"
                        + " 1.2.3.5, ipMode: Proxy}]}}}");
        ServiceDefaults.fillStatus(service);
        assertThat(service)
                .isEqualTo(yaml("{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 1.2.3.4, ipMode:"
                        + " VIP}, {hostname: a.b}, {ip: 1.2.3.5, ipMode: Proxy}]}}}"));
    }
}
