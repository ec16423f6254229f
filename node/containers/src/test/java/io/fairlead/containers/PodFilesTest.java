package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PodFilesTest {
    private static final String HOST = "search corp.example\nnameserver 192.0.2.53\noptions timeout:3\n";

    @Test
    void a_pod_looks_names_up_in_the_cluster_first() {
        assertThat(files("").resolvConf()).isEqualTo("""
            search default.svc.cluster.local svc.cluster.local cluster.local corp.example
            nameserver 10.96.0.10
            options ndots:5
            """);
    }

    @Test
    void the_policies_and_the_config_of_a_pod_are_kept() {
        assertThat(files(", 'dnsPolicy': 'Default'").resolvConf())
                .isEqualTo("search corp.example\nnameserver 192.0.2.53\noptions timeout:3\n");
        assertThat(files(", 'hostNetwork': true").resolvConf()).contains("192.0.2.53");
        assertThat(files(", 'hostNetwork': true, 'dnsPolicy': 'ClusterFirstWithHostNet'")
                        .resolvConf())
                .contains("10.96.0.10");
        assertThat(files("""
            , 'dnsPolicy': 'None', 'dnsConfig': {'nameservers': ['192.0.2.1'], 'searches': ['a.example'],
            'options': [{'name': 'ndots', 'value': '2'}]}\
            """).resolvConf())
                .isEqualTo("search a.example\n" + "nameserver" + " 192.0.2.1\n" + "options" + " ndots:2\n");
        assertThat(files(", 'dnsConfig': {'options': [{'name': 'ndots', 'value': '2'}]}")
                        .resolvConf())
                .endsWith("options ndots:2\n");
    }

    @Test
    void a_pod_knows_its_name_and_its_aliases() {
        PodFiles files = files("""
            , 'hostname': 'web-0', 'subdomain': 'web',
            'hostAliases': [{'ip': '192.0.2.7', 'hostnames': ['a', 'b']}]\
            """);

        assertThat(files.hostname()).isEqualTo("web-0");
        assertThat(files.hosts(List.of(Ip.parse("10.1.0.2"))).lines())
                .contains(
                        "# Kubernetes-managed hosts file.",
                        "127.0.0.1\tlocalhost",
                        "10.1.0.2\tweb-0.web.default.svc.cluster.local\tweb-0",
                        "192.0.2.7\ta\tb");
        assertThat(files(", 'hostNetwork': true").hostname()).isEqualTo("node-1");
        assertThat(files(", 'hostNetwork': true").hosts(List.of()))
                .startsWith("# Kubernetes-managed hosts file (host network).\n");
    }

    private static PodFiles files(String spec) {
        Pod pod = TestPods.pod("", spec);
        return new PodFiles(pod, "node-1", "cluster.local", List.of(Ip.parse("10.96.0.10")), HOST);
    }
}
