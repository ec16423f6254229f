package io.fairlead.kinds;

import static io.fairlead.kinds.ServiceDefaultsTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the server tells the author of a Service though it takes it (A12, decision 035).
final class ServiceWarningsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{metadata: {name: HelloService}}|metadata.name: 'HelloService' has upper-case letters, which plain"
                        + " Kubernetes would refuse",
                "{spec: {ports: [{name: HelloPort}]}}|spec.ports[0].name: 'HelloPort' has upper-case letters, which"
                        + " plain Kubernetes would refuse",
                "{spec: {type: ExternalName, externalName: 192.0.2.1}}|spec.externalName: is an IP address; it is"
                        + " answered as an address record, not as a CNAME",
                "{spec: {externalIPs: [192.0.2.1]}}|spec.externalIPs: deprecated in v1.36; use a LoadBalancer Service"
                        + " instead",
                "{spec: {trafficDistribution: PreferClose}}|spec.trafficDistribution: PreferClose is deprecated; use"
                        + " PreferSameZone",
                "{metadata: {annotations: {service.kubernetes.io/topology-aware-hints: auto}}}|annotation"
                        + " service.kubernetes.io/topology-aware-hints is deprecated, please use"
                        + " service.kubernetes.io/topology-mode instead",
                "{spec: {externalName: a.b}}|spec.externalName is ignored when spec.type is not \"ExternalName\"",
                "{spec: {clusterIP: None, sessionAffinity: ClientIP}}|spec.SessionAffinity is ignored for headless"
                        + " services",
                "{spec: {clusterIP: None, loadBalancerIP: 192.0.2.1}}|spec.loadBalancerIP is ignored for headless"
                        + " services",
                "{spec: {clusterIPs: ['FD00::5']}}|spec.clusterIPs[0]: IPv6 address \"FD00::5\" should be in RFC 5952"
                        + " canonical format (\"fd00::5\")",
                "{spec: {loadBalancerSourceRanges: ['FD00::/64']}}|spec.loadBalancerSourceRanges[0]: IPv6 CIDR value"
                        + " \"FD00::/64\" should be in RFC 5952 canonical format (\"fd00::/64\")",
            })
    void each_has_its_own(String service, String warning) {
        assertThat(ServiceWarnings.of(yaml(service))).containsExactly(warning);
    }

    @Test
    void external_addresses_of_an_external_name_or_a_headless_service_do_nothing() {
        assertThat(ServiceWarnings.of(yaml("{spec: {type: ExternalName, externalIPs: [192.0.2.1]}}")))
                .contains("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        assertThat(ServiceWarnings.of(yaml("{spec: {clusterIP: None, externalIPs: [192.0.2.1]}}")))
                .contains("spec.externalIPs is ignored for headless services");
    }

    @Test
    void a_usual_service_gives_none() {
        assertThat(ServiceWarnings.of(yaml(
                        "{metadata: {name: web}, spec: {clusterIPs: [10.0.0.1, 'fd00::5'], ports: [{name: web}]}}")))
                .isEmpty();
    }
}
