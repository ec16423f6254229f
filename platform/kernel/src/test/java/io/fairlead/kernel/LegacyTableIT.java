package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The size of a table, as another tool changes it, in a namespace of its own.
final class LegacyTableIT {
    @Test
    void a_new_rule_makes_a_table_larger_and_a_flush_smaller_again() {
        NetworkNamespace namespace =
                NetworkNamespace.create("flleg" + ProcessHandle.current().pid());
        try {
            namespace.run(() -> {
                LegacyTable before = LegacyTable.ofIpv4("nat");
                run("iptables-legacy", "-w", "-t", "nat", "-A", "PREROUTING", "-j", "ACCEPT");
                LegacyTable after = LegacyTable.ofIpv4("nat");
                assertThat(after.rules()).isEqualTo(before.rules() + 1);
                assertThat(after.bytes()).isGreaterThan(before.bytes());
                run("iptables-legacy", "-w", "-t", "nat", "-F");
                assertThat(LegacyTable.ofIpv4("nat")).isEqualTo(before);
            });
        } finally {
            namespace.delete();
        }
    }

    @Test
    void a_table_of_ipv6_is_another() {
        NetworkNamespace namespace =
                NetworkNamespace.create("flleg6" + ProcessHandle.current().pid());
        try {
            namespace.run(() -> {
                LegacyTable before = LegacyTable.ofIpv6("filter");
                run("ip6tables-legacy", "-w", "-A", "INPUT", "-j", "ACCEPT");
                assertThat(LegacyTable.ofIpv6("filter").rules()).isEqualTo(before.rules() + 1);
            });
        } finally {
            namespace.delete();
        }
    }

    private static void run(String... words) {
        assertThat(Command.run(List.of(words), "")).isEqualTo(new Command.Result(0, "", ""));
    }
}
