package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.sync.ProxyModes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ModesCommandTest {
    @Test
    void every_mode_has_a_line_with_its_layers_and_whether_it_runs_here() {
        String text = ModesCommand.text(
                ProxyModes.ALL,
                mode -> mode.name().equals("ipvs") ? Optional.of("the kernel has no IPVS") : Optional.empty());

        assertThat(text.lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "MODE LAYERS HERE",
                        "nftables nftables yes",
                        "iptables iptables yes",
                        "ipvs ipvs no: the kernel has no IPVS",
                        "userspace userspace yes",
                        "ebpf nftables + ebpf yes");
    }
}
