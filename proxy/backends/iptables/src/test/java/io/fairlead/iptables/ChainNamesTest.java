package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ServicePortName;
import org.junit.jupiter.api.Test;

/// The names that clusters really have, so that an operator finds the chain that was there before us.
final class ChainNamesTest {
    @Test
    void a_service_has_the_chain_it_has_with_kube_proxy() {
        assertThat(ChainNames.service(port("default", "kubernetes", "https", Protocol.TCP)))
                .isEqualTo("KUBE-SVC-NPX46M4PTMTKRN6Y");
        assertThat(ChainNames.service(port("kube-system", "kube-dns", "dns", Protocol.UDP)))
                .isEqualTo("KUBE-SVC-TCOU7JCQXEZGVUNU");
    }

    @Test
    void a_port_without_a_name_adds_no_colon() {
        ServicePortName nginx = port("ops-test", "nginx-service", "", Protocol.TCP);
        assertThat(ChainNames.service(nginx)).isEqualTo("KUBE-SVC-LENWJZTUTH6NEGFF");
        assertThat(ChainNames.endpoint(nginx, IpPort.parse("172.31.178.122:80")))
                .isEqualTo("KUBE-SEP-7FFDGYM4X6H7PJ46");
        assertThat(ChainNames.endpoint(nginx, IpPort.parse("172.31.178.161:80")))
                .isEqualTo("KUBE-SEP-IBTTRQGWCOYZDL5T");
        assertThat(ChainNames.endpoint(nginx, IpPort.parse("172.31.179.80:80"))).isEqualTo("KUBE-SEP-K3CTAUKVO6URU26D");
        ServicePortName echo = port("default", "svc-echoserver", "", Protocol.TCP);
        assertThat(ChainNames.service(echo)).isEqualTo("KUBE-SVC-FGWWRXV2R5QQQFJ3");
        assertThat(ChainNames.endpoint(echo, IpPort.parse("172.17.0.5:80"))).isEqualTo("KUBE-SEP-5STPF3TJP6MLQXXR");
    }

    @Test
    void all_chains_of_a_port_share_its_hash() {
        ServicePortName kubernetes = port("default", "kubernetes", "https", Protocol.TCP);
        assertThat(ChainNames.local(kubernetes)).isEqualTo("KUBE-SVL-NPX46M4PTMTKRN6Y");
        assertThat(ChainNames.external(kubernetes)).isEqualTo("KUBE-EXT-NPX46M4PTMTKRN6Y");
        assertThat(ChainNames.firewall(kubernetes)).isEqualTo("KUBE-FW-NPX46M4PTMTKRN6Y");
    }

    @Test
    void chains_of_the_kubelet_and_of_strangers_are_not_ours() {
        assertThat(ChainNames.isOurs("KUBE-KUBELET-CANARY")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-IPTABLES-HINT")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-FIREWALL")).isFalse();
        assertThat(ChainNames.isOurs("DOCKER")).isFalse();
        assertThat(ChainNames.isOurs("KUBE-SEP-7FFDGYM4X6H7PJ46")).isTrue();
    }

    private static ServicePortName port(String namespace, String name, String port, Protocol protocol) {
        return new ServicePortName(new NamespacedName(namespace, name), port, protocol);
    }
}
