package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Problem;
import io.fairlead.yaml.Yaml;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The rules for EndpointSlice, Endpoints and Node.
final class EndpointValidationTest {
    private static JsonNode yaml(String text) {
        return Yaml.parseAll(text).getFirst();
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{addressType: MAC}|addressType: Unsupported value: \"MAC\"",
                "{}|addressType: Required value",
                "{addressType: FQDN, endpoints: [{addresses: [web]}]}|should be a domain with at least two segments",
                "{addressType: IPv6, endpoints: [{addresses: [10.1.0.1]}]}|endpoints[0].addresses: Invalid value:"
                        + " \"10.1.0.1\": must be an IPv6 address",
                "{addressType: IPv4, endpoints: [{addresses: ['010.1.0.1']}]}|must not have leading 0s",
                "{addressType: IPv4, endpoints: [{addresses: []}]}|endpoints[0].addresses: Required value: must"
                        + " contain at least 1 address",
                "{addressType: IPv4, endpoints: [{addresses: [10.1.0.1], hostname: a.b}]}|endpoints[0].hostname:"
                        + " Invalid value",
                "{addressType: IPv4, endpoints: [{addresses: [10.1.0.1], conditions: {ready: 1}}]}|must be true or"
                        + " false",
                "{addressType: IPv4, endpoints: [{addresses: [10.1.0.1], hints: {forZones: [{name: a}, {name:"
                        + " a}]}}]}|endpoints[0].hints.forZones[1].name: Duplicate value: \"a\"",
                "{addressType: IPv4, endpoints: [{addresses: [10.1.0.1], hints: {forNodes:"
                        + " [{}]}}]}|endpoints[0].hints.forNodes[0].name: Required value",
                "{addressType: IPv4, ports: [{name: a}, {name: a}]}|ports[1].name: Duplicate value: \"a\"",
                "{addressType: IPv4, ports: [{name: a, appProtocol: a b}]}|ports[0].appProtocol: Invalid value",
                "{addressType: IPv4, ports: [{name: a_b}]}|ports[0].name: Invalid value",
            })
    void a_slice_has_rules(String slice, String problem) {
        assertThat(texts(EndpointValidation.checkSlice(yaml(slice))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void a_slice_has_no_more_than_a_thousand_endpoints_and_twenty_thousand_ports() {
        String endpoints = String.join(",", Collections.nCopies(1001, "{addresses: [10.1.0.1]}"));
        assertThat(texts(EndpointValidation.checkSlice(yaml("{addressType: IPv4, endpoints: [" + endpoints + "]}"))))
                .containsExactly("endpoints: Too many: 1001: must have at most 1000 items");
        StringBuilder ports = new StringBuilder();
        for (int i = 0; i < 20_001; i++) {
            ports.append("{name: p").append(i).append("},");
        }
        assertThat(texts(EndpointValidation.checkSlice(yaml("{addressType: IPv4, ports: [" + ports + "]}"))))
                .containsExactly("ports: Too many: 20001: must have at most 20000 items");
    }

    @Test
    void the_type_of_a_slice_stays() {
        assertThat(texts(EndpointValidation.checkSliceUpdate(yaml("addressType: IPv4"), yaml("addressType: IPv6"))))
                .containsExactly("addressType: Invalid value: \"IPv6\": field is immutable");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ports: [{port: 80}]}|subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
                "{addresses: [{ip: 127.0.0.1}]}|subsets[0].addresses[0].ip: Invalid value: \"127.0.0.1\": may not be"
                        + " in the loopback range",
                "{addresses: [{ip: 10.1.0.1, nodeName: a_b}]}|subsets[0].addresses[0].nodeName: Invalid value",
                "{addresses: [{ip: 10.1.0.1}], ports: [{port: 80}, {name: b, port: 81}]}|subsets[0].ports[0].name:"
                        + " Required value",
            })
    void endpoints_have_rules(String subset, String problem) {
        assertThat(texts(EndpointValidation.checkEndpoints(yaml("{subsets: [" + subset + "]}"))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24, 10.2.0.0/24]}|may specify no more than one CIDR for"
                        + " each IP family",
                "{podCIDR: 10.1.0.0/24, podCIDRs: [10.2.0.0/24]}|the first entry must be the same as `podCIDR`",
                "{taints: [{key: a}]}|spec.taints[0].effect: Required value",
                "{taints: [{key: a, effect: Maybe}]}|spec.taints[0].effect: Unsupported value",
                "{taints: [{key: a, effect: NoSchedule}, {key: a, effect: NoSchedule}]}|spec.taints[1].effect:"
                        + " Duplicate value: \"a:NoSchedule\"",
                "{taints: [{key: a b, effect: NoSchedule}]}|spec.taints[0].key: Invalid value",
            })
    void a_node_has_rules(String spec, String problem) {
        assertThat(texts(NodeValidation.check(yaml("{spec: " + spec + "}"))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void the_blocks_of_a_node_stay() {
        JsonNode old = yaml("{spec: {podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24]}}");
        assertThat(texts(NodeValidation.checkUpdate(old, yaml("{spec: {}}"))))
                .containsExactly(
                        "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to valid");
        assertThat(NodeValidation.checkUpdate(yaml("{}"), old)).isEmpty();
    }
}
