package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The chains that the documents print, from the first rule to the last, with the names of Kubernetes 1.36.
final class DocumentedWalkTest {
    private static final NodeFacts NODE = NodeFacts.of("node-a", List.of());

    /// S2-6, and S2-7 for the node port.
    private static final Program<IptablesEntry> NGINX = program("""
        metadata: {namespace: ops-test, name: nginx-service}
        spec: {type: NodePort, clusterIP: 10.100.254.226, ports: [{port: 80, nodePort: 30028}]}
        ---
        metadata: {namespace: ops-test, name: nginx-1, labels: {kubernetes.io/service-name: nginx-service}}
        addressType: IPv4
        ports: [{port: 80}]
        endpoints: [{addresses: [172.31.178.122]}, {addresses: [172.31.178.161]}, {addresses: [172.31.179.80]}]
        """);

    @Test
    void what_comes_in_and_what_the_node_sends_goes_to_the_services() {
        String toServices = "-m comment --comment \"kubernetes service portals\" -j KUBE-SERVICES";
        assertThat(rules(NGINX, "PREROUTING")).containsExactly(toServices);
        assertThat(rules(NGINX, "OUTPUT")).containsExactly(toServices);
    }

    @Test
    void a_virtual_address_leads_to_one_of_three_endpoints_with_equal_chances() {
        assertThat(rules(NGINX, "KUBE-SERVICES").getFirst())
                .isEqualTo("-d 10.100.254.226/32 -p tcp -m comment --comment \"ops-test/nginx-service cluster IP\""
                        + " -m tcp --dport 80 -j KUBE-SVC-LENWJZTUTH6NEGFF");
        String chance = " -m statistic --mode random --probability ";
        assertThat(rules(NGINX, "KUBE-SVC-LENWJZTUTH6NEGFF"))
                .containsExactly(
                        comment("ops-test/nginx-service -> 172.31.178.122:80") + chance
                                + "0.3333333333 -j KUBE-SEP-7FFDGYM4X6H7PJ46",
                        comment("ops-test/nginx-service -> 172.31.178.161:80") + chance
                                + "0.5000000000 -j KUBE-SEP-IBTTRQGWCOYZDL5T",
                        comment("ops-test/nginx-service -> 172.31.179.80:80") + " -j KUBE-SEP-K3CTAUKVO6URU26D");
        assertThat(Rule.parse("--probability 0.33333333349"))
                .as("as the kernel prints it, and the document")
                .isEqualTo(new Rule("--probability 0.3333333333"));
    }

    @Test
    void an_endpoint_marks_what_it_sends_itself_and_translates() {
        assertThat(rules(NGINX, "KUBE-SEP-7FFDGYM4X6H7PJ46")).isEqualTo(endpoint("172.31.178.122"));
        assertThat(rules(NGINX, "KUBE-SEP-IBTTRQGWCOYZDL5T")).isEqualTo(endpoint("172.31.178.161"));
        assertThat(rules(NGINX, "KUBE-SEP-K3CTAUKVO6URU26D")).isEqualTo(endpoint("172.31.179.80"));
        assertThat(rules(NGINX, "KUBE-MARK-MASQ")).containsExactly("-j MARK --set-xmark 0x4000/0x4000");
    }

    private static List<String> endpoint(String ip) {
        String whose = comment("ops-test/nginx-service");
        return List.of(
                "-s %s/32 %s -j KUBE-MARK-MASQ".formatted(ip, whose),
                "-p tcp %s -m tcp -j DNAT --to-destination %s:80".formatted(whose, ip));
    }

    @Test
    void a_node_port_is_marked_and_goes_to_the_same_chain_and_is_masqueraded_on_its_way_out() {
        assertThat(rules(NGINX, "KUBE-SERVICES").getLast())
                .contains("this must be the last rule in this chain")
                .endsWith("-m addrtype --dst-type LOCAL -j KUBE-NODEPORTS");
        assertThat(rules(NGINX, "KUBE-NODEPORTS"))
                .containsExactly("-p tcp %s -m tcp --dport 30028 -j KUBE-EXT-LENWJZTUTH6NEGFF"
                        .formatted(comment("ops-test/nginx-service")));
        assertThat(rules(NGINX, "KUBE-EXT-LENWJZTUTH6NEGFF"))
                .containsExactly(
                        comment("masquerade traffic for ops-test/nginx-service external destinations")
                                + " -j KUBE-MARK-MASQ",
                        "-j KUBE-SVC-LENWJZTUTH6NEGFF");
        assertThat(rules(NGINX, "POSTROUTING"))
                .containsExactly(comment("kubernetes postrouting rules") + " -j KUBE-POSTROUTING");
        assertThat(rules(NGINX, "KUBE-POSTROUTING"))
                .containsExactly(
                        "-m mark ! --mark 0x4000/0x4000 -j RETURN",
                        "-j MARK --set-xmark 0x4000/0x0",
                        comment("kubernetes service traffic requiring SNAT") + " -j MASQUERADE --random-fully");
    }

    /// S3-13.
    @Test
    void of_two_endpoints_the_first_is_taken_every_other_time() {
        Program<IptablesEntry> program = program("""
            metadata: {namespace: default, name: svc-echoserver}
            spec: {clusterIP: 10.103.181.52, ports: [{port: 80}]}
            ---
            metadata: {namespace: default, name: echo-1, labels: {kubernetes.io/service-name: svc-echoserver}}
            addressType: IPv4
            ports: [{port: 80}]
            endpoints: [{addresses: [172.17.0.6]}, {addresses: [172.17.0.5]}]
            """);
        assertThat(rules(program, "KUBE-SERVICES").getFirst()).endsWith("-j KUBE-SVC-FGWWRXV2R5QQQFJ3");
        assertThat(rules(program, "KUBE-SVC-FGWWRXV2R5QQQFJ3"))
                .hasSize(2)
                .first()
                .isEqualTo(comment("default/svc-echoserver -> 172.17.0.5:80")
                        + " -m statistic --mode random --probability 0.5000000000 -j KUBE-SEP-5STPF3TJP6MLQXXR");
        assertThat(rules(program, "KUBE-SEP-5STPF3TJP6MLQXXR").getLast())
                .endsWith("-j DNAT --to-destination 172.17.0.5:80");
    }

    /// S4-7.
    @Test
    void the_only_endpoint_is_left_to_no_chance() {
        Program<IptablesEntry> program = program("""
            metadata: {namespace: default, name: hello}
            spec: {clusterIP: 10.99.10.10, ports: [{port: 8080}]}
            ---
            metadata: {namespace: default, name: hello-1, labels: {kubernetes.io/service-name: hello}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints: [{addresses: [10.1.0.8]}]
            """);
        String chosen = target(rules(program, "KUBE-SERVICES").getFirst());
        assertThat(chosen).startsWith("KUBE-SVC-");
        assertThat(rules(program, chosen)).singleElement().satisfies(rule -> {
            assertThat(rule).doesNotContain("statistic");
            assertThat(target(rule)).startsWith("KUBE-SEP-");
            assertThat(rules(program, target(rule)).getLast()).endsWith("-j DNAT --to-destination 10.1.0.8:8080");
        });
    }

    private static String comment(String text) {
        return "-m comment --comment \"%s\"".formatted(text);
    }

    private static String target(String rule) {
        return new Rule(rule).target();
    }

    /// The rules of a chain of the table nat, in their order.
    private static List<String> rules(Program<IptablesEntry> program, String chain) {
        List<String> lines = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        program.entries()
                .filter(entry -> entry.place().toString().equals("nat " + chain))
                .forEach(entry -> {
                    switch (entry) {
                        case Line(var _, Rule rule) -> lines.add(rule.text());
                        case Chain(var _, List<Rule> rules) -> rules.forEach(rule -> rest.add(rule.text()));
                        case IptablesEntry.Switch _ -> {}
                    }
                });
        lines.addAll(rest);
        return lines;
    }

    /// Of a Service and its slice.
    private static Program<IptablesEntry> program(String yaml) {
        List<JsonNode> objects = Yaml.parseAll(yaml);
        Snapshot snapshot =
                Snapshot.EMPTY.with(Service.of(objects.getFirst())).with(EndpointSlice.of(objects.getLast()));
        return IptablesCompilerTest.program(ForwardingTable.of(snapshot, NODE), NODE);
    }
}
