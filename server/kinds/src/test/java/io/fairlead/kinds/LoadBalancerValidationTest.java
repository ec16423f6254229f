package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a load balancer may say in a status (A15, A17), and what a Service may say to it (A10).
final class LoadBalancerValidationTest {
    private static List<String> status(String type, String ingress) {
        String yaml = "{spec: {type: %s}, status: {loadBalancer: {ingress: [%s]}}}".formatted(type, ingress);
        return LoadBalancerValidation.checkStatus(Yaml.parseAll(yaml).getFirst()).stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void an_address_with_its_mode_or_a_name_is_fine() {
        assertThat(status("LoadBalancer", "{ip: 192.0.2.1, ipMode: Proxy}, {hostname: lb.example.com}"))
                .isEmpty();
        assertThat(status("LoadBalancer", "{ip: 192.0.2.1, ipMode: VIP, ports: [{port: 80, protocol: TCP}]}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ip: 192.0.2}|ip: Invalid value: \"192.0.2\": must be a valid IP address",
                "{ip: 192.0.2.1, ipMode: Magic}|ipMode: Unsupported value: \"Magic\"",
                "{hostname: a.b, ipMode: VIP}|ipMode: Forbidden: may not be specified when `ip` is not set",
                "{hostname: 192.0.2.1}|hostname: Invalid value: \"192.0.2.1\": must be a DNS name, not an IP address",
                "{hostname: a_b}|hostname: Invalid value: \"a_b\"",
                "{ip: 192.0.2.1, ports: [{port: 0, protocol: TCP}]}|ports[0].port: Invalid value: 0"
            })
    void a_broken_rule_is_named(String ingress, String problem) {
        assertThat(status("LoadBalancer", ingress))
                .anySatisfy(text -> assertThat(text).startsWith("status.loadBalancer.ingress[0]." + problem));
    }

    @Test
    void only_a_load_balancer_has_one() {
        assertThat(status("NodePort", "{ip: 192.0.2.1}"))
                .containsExactly("status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is"
                        + " \"LoadBalancer\"");
    }

    @Test
    void the_old_annotation_of_source_ranges_is_checked_as_the_field() {
        String yaml = """
            metadata: {annotations: {service.beta.kubernetes.io/load-balancer-source-ranges: "10.0.0.0/8, 10.1"}}
            spec: {type: NodePort, ports: [{port: 80}]}
            """;
        assertThat(ServiceValidation.check(Yaml.parseAll(yaml).getFirst(), LetterCase.LOWER))
                .extracting(Problem::reason)
                .containsExactly(Problem.Reason.FORBIDDEN, Problem.Reason.INVALID);
    }
}
