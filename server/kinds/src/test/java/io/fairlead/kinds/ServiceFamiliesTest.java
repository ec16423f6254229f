package io.fairlead.kinds;

import static io.fairlead.kinds.ServiceDefaultsTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Which families a Service gets, by what it says and what the cluster has (A8).
final class ServiceFamiliesTest {
    private static ServiceFamilies cluster(String families) {
        return new ServiceFamilies(Stream.of(families.split(" ", -1))
                .map(name -> name.equals("IPv4") ? Family.IPV4 : Family.IPV6)
                .toList());
    }

    /// The policy and the families of a new Service.
    private static String decided(String cluster, String spec) {
        ObjectNode tree = yaml(spec);
        List<Problem> problems = cluster(cluster).decide(MissingNode.getInstance(), tree);
        return problems.isEmpty() ? shown(tree) : problems.toString();
    }

    private static String shown(ObjectNode spec) {
        return spec.path("ipFamilyPolicy").asString() + " " + spec.path("ipFamilies");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // what the Service says | on IPv4 | on IPv4 and IPv6
                "{}|SingleStack [\"IPv4\"]|SingleStack [\"IPv4\"]",
                "{ipFamilyPolicy: SingleStack}|SingleStack [\"IPv4\"]|SingleStack [\"IPv4\"]",
                "{ipFamilyPolicy: PreferDualStack}|PreferDualStack [\"IPv4\"]|PreferDualStack [\"IPv4\",\"IPv6\"]",
                "{ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv4]}|PreferDualStack [\"IPv4\"]|PreferDualStack [\"IPv4\",\"IPv6\"]",
                "{clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5]}|SingleStack [\"IPv4\"]|SingleStack [\"IPv4\"]",
                "{clusterIP: None, clusterIPs: [None], selector: {a: b}}|SingleStack [\"IPv4\"]|SingleStack [\"IPv4\"]",
                "{clusterIP: None, clusterIPs: [None], selector: {a: b}, ipFamilyPolicy: PreferDualStack}|PreferDualStack [\"IPv4\"]|PreferDualStack [\"IPv4\",\"IPv6\"]",
                "{clusterIP: None, clusterIPs: [None]}|RequireDualStack [\"IPv4\",\"IPv6\"]|RequireDualStack [\"IPv4\",\"IPv6\"]",
                "{clusterIP: None, clusterIPs: [None], ipFamilies: [IPv6]}|RequireDualStack [\"IPv6\",\"IPv4\"]|RequireDualStack [\"IPv6\",\"IPv4\"]",
                "{clusterIP: None, clusterIPs: [None], ipFamilyPolicy: SingleStack, ipFamilies: [IPv6]}|SingleStack [\"IPv6\"]|SingleStack [\"IPv6\"]",
                "{clusterIP: None, clusterIPs: [None], ipFamilyPolicy: PreferDualStack}|PreferDualStack [\"IPv4\",\"IPv6\"]|PreferDualStack [\"IPv4\",\"IPv6\"]",
            })
    void what_a_service_gets_on_a_cluster_with_one_family_and_with_two(String spec, String one, String two) {
        assertThat(decided("IPv4", spec)).isEqualTo(one);
        assertThat(decided("IPv4 IPv6", spec)).isEqualTo(two);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ipFamilyPolicy: RequireDualStack}|RequireDualStack [\"IPv4\",\"IPv6\"]",
                "{ipFamilies: [IPv6, IPv4]}|RequireDualStack [\"IPv6\",\"IPv4\"]",
                "{ipFamilies: [IPv6]}|SingleStack [\"IPv6\"]",
                "{ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6]}|PreferDualStack [\"IPv6\",\"IPv4\"]",
                "{clusterIP: 'fd00::5', clusterIPs: ['fd00::5', 10.0.0.5]}|RequireDualStack [\"IPv6\",\"IPv4\"]",
                "{clusterIP: 'fd00::5', clusterIPs: ['fd00::5'], ipFamilyPolicy: RequireDualStack}|RequireDualStack [\"IPv6\",\"IPv4\"]",
            })
    void what_only_a_cluster_with_two_families_can_give(String spec, String expected) {
        assertThat(decided("IPv4 IPv6", spec)).isEqualTo(expected);
        assertThat(decided("IPv4", spec)).contains("configured");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ipFamilyPolicy: RequireDualStack}|[spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not configured for dual-stack services]",
                "{ipFamilies: [IPv6]}|[spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster]",
                "{clusterIP: 'fd00::5', clusterIPs: ['fd00::5']}|[spec.clusterIPs[0]: Invalid value: [\"fd00::5\"]: IPv6 is not configured on this cluster]",
                "{ipFamilyPolicy: SingleStack, ipFamilies: [IPv4, IPv6]}|[spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified, spec.ipFamilies[1]: Invalid value: \"IPv6\": not configured on this cluster]",
            })
    void what_the_cluster_lacks_is_said(String spec, String problems) {
        assertThat(decided("IPv4", spec)).isEqualTo(problems);
    }

    @Test
    void a_cluster_that_gains_a_family_does_not_change_its_services() {
        ObjectNode old = yaml("spec: {ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv4]}");
        ObjectNode same = yaml("{ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv4], clusterIPs: [10.0.0.5]}");
        assertThat(cluster("IPv4 IPv6").decide(old, same)).isEmpty();
        assertThat(shown(same)).isEqualTo("PreferDualStack [\"IPv4\"]");

        ObjectNode asked = yaml("{ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv4], clusterIPs: [10.0.0.5]}");
        assertThat(cluster("IPv4 IPv6").decide(old, asked)).isEmpty();
        assertThat(shown(asked)).isEqualTo("RequireDualStack [\"IPv4\",\"IPv6\"]");
    }

    @Test
    void an_ipv6_cluster_gives_ipv6_first() {
        assertThat(decided("IPv6 IPv4", "{ipFamilyPolicy: PreferDualStack}"))
                .isEqualTo("PreferDualStack [\"IPv6\",\"IPv4\"]");
        assertThat(decided("IPv6", "{}")).isEqualTo("SingleStack [\"IPv6\"]");
    }
}
