package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What may change about a Service, and what may not (A5, A7, A8, A10, A11).
final class ServiceChangeValidationTest {
    private static final String ONE = "clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5], ipFamilies: [IPv4]";
    private static final String TWO =
            "clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, 'fd00::5'], ipFamilies: [IPv4, IPv6]";
    private static final String LOCAL = "type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30001";

    private static List<String> problems(String old, String service) {
        return ServiceValidation.checkUpdate(spec(old), spec(service), LetterCase.LOWER).stream()
                .map(Problem::toString)
                .toList();
    }

    private static JsonNode spec(String fields) {
        return Yaml.parseAll("{spec: {ports: [{port: 80, protocol: TCP}], " + fields + "}}")
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "clusterIP: 10.0.0.6, clusterIPs: [10.0.0.6], ipFamilies: [IPv4]|spec.clusterIPs[0]: Invalid value:"
                        + " [\"10.0.0.6\"]: may not change once set",
                "clusterIP: None, clusterIPs: [None], ipFamilies: [IPv4]|spec.clusterIPs[0]: Invalid value:"
                        + " [\"None\"]: may not change once set",
                "clusterIP: 'fd00::5', clusterIPs: ['fd00::5'], ipFamilies: [IPv6]|spec.ipFamilies[0]: Invalid value:"
                        + " [\"IPv6\"]: may not change once set",
                "ipFamilies: [IPv4]|spec.clusterIPs[0]: Invalid value: \"\": primary clusterIP can not be unset",
            })
    void the_first_address_and_its_family_stay(String now, String problem) {
        assertThat(problems(ONE, now)).contains(problem);
    }

    @Test
    void a_second_address_may_come() {
        assertThat(problems(ONE, TWO + ", ipFamilyPolicy: RequireDualStack")).isEmpty();
    }

    @Test
    void the_second_address_goes_only_when_the_policy_says_so() {
        assertThat(problems(TWO, ONE + ", ipFamilyPolicy: SingleStack")).isEmpty();
        assertThat(problems(TWO, ONE + ", ipFamilyPolicy: PreferDualStack"))
                .containsExactly(
                        "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when"
                                + " releasing the secondary clusterIP",
                        "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be set to 'SingleStack' when"
                                + " releasing the secondary ipFamily");
    }

    @Test
    void the_families_of_a_headless_service_may_change() {
        String headless = "clusterIP: None, clusterIPs: [None], ipFamilies: ";
        assertThat(problems(headless + "[IPv4]", headless + "[IPv6]")).isEmpty();
    }

    @Test
    void an_external_name_has_nothing_to_keep() {
        assertThat(problems(ONE, "type: ExternalName, externalName: a.b")).isEmpty();
        assertThat(problems("type: ExternalName, externalName: a.b", ONE)).isEmpty();
    }

    @Test
    void the_port_of_a_health_check_stays_while_it_is_needed() {
        assertThat(problems(LOCAL, LOCAL.replace("30001", "30002")))
                .containsExactly("spec.healthCheckNodePort: Forbidden: field is immutable");
        assertThat(problems(LOCAL, "type: LoadBalancer, externalTrafficPolicy: Cluster"))
                .isEmpty();
    }

    @Test
    void the_class_of_a_load_balancer_stays_while_it_is_one() {
        String one = "type: LoadBalancer, loadBalancerClass: a/one";
        assertThat(problems(one, one.replace("one", "two")))
                .containsExactly("spec.loadBalancerClass: Invalid value: \"a/two\": may not change once set");
        assertThat(problems("type: LoadBalancer", one)).hasSize(1);
        assertThat(problems("type: ClusterIP", one)).isEmpty();
        assertThat(problems(one, "type: ClusterIP")).isEmpty();
    }

    @Test
    void an_address_that_was_taken_before_the_rules_were_strict_may_stay() {
        String loose = "externalIPs: ['010.0.0.1'], externalTrafficPolicy: Cluster";
        assertThat(problems(loose, loose)).isEmpty();
        assertThat(problems(loose, loose.replace("'010.0.0.1'", "'010.0.0.1', '010.0.0.2'")))
                .containsExactly("spec.externalIPs[1]: Invalid value: \"010.0.0.2\": must not have leading 0s");
        String range = "type: LoadBalancer, loadBalancerSourceRanges: ['10.0.0.1/8']";
        assertThat(problems(range, range)).isEmpty();
        assertThat(problems("type: LoadBalancer", range))
                .containsExactly("spec.LoadBalancerSourceRanges[0]: Invalid value: \"10.0.0.1/8\": must not have bits"
                        + " set beyond the prefix length");
    }
}
