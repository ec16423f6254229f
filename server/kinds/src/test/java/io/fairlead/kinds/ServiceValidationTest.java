package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceValidationTest {
    private static final String PORT = "\"ports\":[{\"port\":80,\"protocol\":\"TCP\"}]";

    private static List<String> problems(String spec) {
        return ServiceValidation.check(Json.parse("{\"spec\":{" + spec + "}}"), LetterCase.ANY).stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void a_plain_service_is_fine() {
        assertThat(problems(
                        "\"type\":\"ClusterIP\",\"clusterIP\":\"10.96.0.5\",\"clusterIPs\":[\"10.96.0.5\"]," + PORT))
                .isEmpty();
    }

    /// By a comparison of each fault with each other one this took minutes of a server's processor.
    @Test
    void a_hundred_thousand_faults_are_told_in_one_pass() {
        String ports = String.join(",", Collections.nCopies(100_000, "{\"port\":0}"));
        assertThat(problems("\"ports\":[" + ports + "]")).hasSizeGreaterThan(99_999);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"sessionAffinity\":\"Cookie\"|spec.sessionAffinity: Unsupported value",
                "\"sessionAffinity\":\"None\",\"sessionAffinityConfig\":{}|spec.sessionAffinityConfig: Forbidden",
                "\"sessionAffinity\":\"ClientIP\",\"sessionAffinityConfig\":{\"clientIP\":{\"timeoutSeconds\":0}}|must"
                        + " be greater than 0 and less than 86400",
                "\"sessionAffinity\":\"ClientIP\",\"sessionAffinityConfig\":{\"clientIP\":{\"timeoutSeconds\":86401}}|must"
                        + " be greater than 0 and less than 86400",
                "\"type\":\"NodePort\",\"clusterIP\":\"None\"|may not be set to 'None'",
                "\"type\":\"LoadBalancer\",\"clusterIP\":\"None\"|may not be set to 'None'",
                "\"type\":\"ExternalName\",\"externalName\":\"a.b\",\"clusterIP\":\"10.96.0.5\"|spec.clusterIPs:"
                        + " Forbidden",
                "\"type\":\"ExternalName\",\"externalName\":\"a_b\"|spec.externalName: Invalid value",
                "\"externalTrafficPolicy\":\"Local\"|may only be set for externally-accessible services",
                "\"externalIPs\":[\"nowhere\"]|spec.externalIPs[0]: Invalid value",
                "\"externalIPs\":[\"127.0.0.1\"]|may not be in the loopback range",
                "\"loadBalancerSourceRanges\":[\"10.0.0.0/8\"]|spec.LoadBalancerSourceRanges: Forbidden",
                "\"type\":\"LoadBalancer\",\"loadBalancerSourceRanges\":[\"10.0.0.0\"]|must be a valid CIDR value",
                "\"allocateLoadBalancerNodePorts\":true|spec.allocateLoadBalancerNodePorts: Forbidden",
                "\"loadBalancerClass\":\"a/b\"|spec.loadBalancerClass: Forbidden",
                "\"healthCheckNodePort\":30000|spec.healthCheckNodePort: Invalid value",
                "\"clusterIP\":\"10.96.0.5\",\"clusterIPs\":[\"10.96.0.6\"]|first value must match `clusterIP`",
                "\"clusterIP\":\"10.96.0.5\",\"clusterIPs\":[\"10.96.0.5\",\"10.96.0.6\"]|no more than one IP for each"
                        + " IP family",
                "\"clusterIP\":\"None\",\"clusterIPs\":[\"None\",\"10.96.0.6\"]|'None' must be the first and only"
                        + " value",
                "\"ipFamilies\":[\"IPv5\"]|spec.ipFamilies[0]: Unsupported value",
                "\"ipFamilies\":[\"IPv4\",\"IPv4\"]|spec.ipFamilies[1]: Duplicate value",
                "\"ipFamilyPolicy\":\"Both\"|spec.ipFamilyPolicy: Unsupported value",
                "\"selector\":{\"a b\":\"c\"}|spec.selector: Invalid value: \"a b\"",
                "\"selector\":[]|spec.selector: Invalid value: \"[]\": must be an object",
                "\"internalTrafficPolicy\":\"Near\"|spec.internalTrafficPolicy: Unsupported value",
                "\"trafficDistribution\":\"Far\"|spec.trafficDistribution: Unsupported value",
                "\"publishNotReadyAddresses\":\"yes\"|must be true or false"
            })
    void a_broken_rule_is_named(String spec, String sentence) {
        assertThat(problems(spec + "," + PORT))
                .anySatisfy(problem -> assertThat(problem).contains(sentence));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"port\":80,\"nodePort\":30000}|ports[0].nodePort: Forbidden: may not be used when `type` is"
                        + " 'ClusterIP'",
                "{\"port\":80,\"targetPort\":70000}|ports[0].targetPort: Invalid value: 70000",
                "{\"port\":80,\"targetPort\":\"HTTP\"}|ports[0].targetPort: Invalid value: \"HTTP\"",
                "{\"port\":80,\"targetPort\":{}}|must be a whole number or a text",
                "{\"port\":80,\"appProtocol\":\"a b\"}|ports[0].appProtocol: Invalid value",
                "{\"port\":80,\"name\":\"a.b\"}|ports[0].name: Invalid value",
                "{\"port\":99999999999}|ports[0].port: Invalid value: 99999999999: must be a whole number",
                "{}|ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
                "7|spec.ports[0]: Invalid value: 7: must be an object"
            })
    void a_broken_rule_of_a_port_is_named(String port, String sentence) {
        assertThat(problems("\"ports\":[" + port + "]"))
                .anySatisfy(problem -> assertThat(problem).contains(sentence));
    }

    @Test
    void port_names_that_differ_only_in_case_are_one_name() {
        assertThat(problems("\"ports\":[{\"name\":\"Web\",\"port\":80},{\"name\":\"web\",\"port\":81}]"))
                .containsExactly("spec.ports[1].name: Duplicate value: \"web\"");
    }

    @Test
    void an_external_name_may_end_in_a_dot_or_be_an_address() {
        assertThat(problems("\"type\":\"ExternalName\",\"externalName\":\"example.com.\""))
                .isEmpty();
        assertThat(problems("\"type\":\"ExternalName\",\"externalName\":\"192.0.2.1\""))
                .isEmpty();
    }

    @Test
    void source_ranges_may_have_spaces_around_them() {
        assertThat(problems("\"type\":\"LoadBalancer\",\"loadBalancerSourceRanges\":[\" 10.0.0.0/8 \"]," + PORT))
                .isEmpty();
    }
}
