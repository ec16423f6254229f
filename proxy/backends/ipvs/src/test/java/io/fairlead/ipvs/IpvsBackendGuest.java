package io.fairlead.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Support;
import io.fairlead.testkit.DurableContract;
import io.fairlead.testkit.RandomRows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The contract of the backends, and what is particular to this one; run by [IpvsIT] in the guest.
final class IpvsBackendGuest implements DurableContract<IpvsEntry> {
    @Override
    public NamespaceMachine machine() {
        return new NamespaceMachine();
    }

    @Test
    void what_others_have_is_left_alone() {
        try (NamespaceMachine machine = machine();
                NamespaceMachine.Inside backend = machine.open()) {
            machine.run("ipvsadm -A -t 192.0.2.1:80 -s rr");
            machine.run("ipset create OTHERS hash:ip");
            machine.run("iptables -t nat -N DOCKER");
            machine.run("iptables -t nat -A PREROUTING -j DOCKER");
            String before = machine.run("ipvsadm -Sn") + machine.run("iptables-save -t nat");
            Program<IpvsEntry> program = new RandomRows(21).steps(20).program(backend);

            backend.apply(Patch.between(backend.observe(), program));
            backend.apply(Patch.between(backend.observe(), Program.of(List.of())));

            String after = machine.run("ipvsadm -Sn") + machine.run("iptables-save -t nat");
            assertThat(rules(after)).isEqualTo(rules(before));
            assertThat(machine.run("ipset list -n")).isEqualTo("OTHERS\n");
        }
    }

    private static List<String> rules(String text) {
        return text.lines().filter(line -> line.startsWith("-")).toList();
    }

    @Test
    void what_others_remove_or_add_is_put_right() {
        try (NamespaceMachine machine = machine();
                NamespaceMachine.Inside backend = machine.open()) {
            Program<IpvsEntry> program = new RandomRows(22).steps(30).program(backend);
            backend.apply(Patch.between(backend.observe(), program));
            String server = first(program, IpvsEntry.VirtualServer.class, "-A -");
            String real = first(program, IpvsEntry.RealServer.class, "-a ");
            String member = first(program, IpvsEntry.Member.class, "add KUBE-");
            String address =
                    first(program, IpvsEntry.Address.class, "address 10.96").split(" ", -1)[1];
            assertThat(backend.drifted()).isFalse();
            for (String deed : List.of(
                    "ipvsadm -D " + server.split(" -s ", -1)[0].substring(3),
                    "ipvsadm -d " + real.split(" -m ", -1)[0].substring(3),
                    "ipset del " + member.split(" comment", -1)[0].substring(4),
                    "ip address del " + address + "/32 dev kube-ipvs0",
                    "ip address add 10.96.77.77/32 dev kube-ipvs0",
                    "ipset add KUBE-CLUSTER-IP 10.96.77.77,tcp:80",
                    "ipvsadm -A -t 10.96.77.77:80 -s rr",
                    "ip rule del table 30998",
                    "iptables -t mangle -F KUBE-IPVS-SERVICES")) {
                machine.run(deed);
                assertThat(backend.drifted()).as(deed).isTrue();
                assertThat(backend.findings())
                        .as(deed)
                        .isNotEmpty()
                        .allMatch(finding -> isAddition(deed)
                                ? finding.startsWith("not ours: ")
                                : !finding.startsWith("not ours: "));

                backend.apply(Patch.between(backend.observe(), program));

                assertThat(backend.observe().text()).as(deed).isEqualTo(program.text());
            }
        }
    }

    private static boolean isAddition(String deed) {
        return deed.contains(" add ") || deed.contains(" -A ");
    }

    @Test
    void the_node_is_set_up_as_configured_and_excluded_networks_are_left_alone() {
        try (NamespaceMachine machine = machine()) {
            machine.run("ip link add flannel.1 type dummy");
            machine.run("ip link set flannel.1 up");
            IpvsOptions options = NamespaceMachine.OPTIONS
                    .withDevice("flannel.1", 24)
                    .withExcluded(List.of(Cidr.parse("10.96.200.0/24")))
                    .withStrictArp(true)
                    .withTimeouts(
                            new IpvsTimeouts(Duration.ofSeconds(1234), Duration.ofSeconds(56), Duration.ofSeconds(78)));
            machine.run("ipvsadm -A -t 10.96.200.1:80 -s rr");
            Program<IpvsEntry> program;
            try (NamespaceMachine.Inside backend = machine.open(options)) {
                program = new RandomRows(24).steps(10).program(backend);
                backend.apply(Patch.between(backend.observe(), program));
                assertThat(backend.drifted()).isFalse();
                assertThat(backend.observe()).isEqualTo(program);
            }
            String vip =
                    first(program, IpvsEntry.Address.class, "address 10.96").split(" ", -1)[1];
            assertThat(machine.run("ip -o address show dev flannel.1")).contains(vip + "/24 ");
            assertThat(machine.run("ip -o link")).doesNotContain("kube-ipvs0");
            assertThat(machine.run("ipvsadm -Ln --timeout")).contains("1234 56 78");
            assertThat(machine.sysctl("ipv4/conf/all/arp_ignore")).isEqualTo("1");
            assertThat(machine.sysctl("ipv4/conf/all/arp_announce")).isEqualTo("2");
            assertThat(machine.sysctl("ipv4/vs/conntrack")).isEqualTo("1");

            try (NamespaceMachine.Inside usual = machine.open()) {
                // A process after it with the usual options: the addresses move, and then go.
                usual.apply(Patch.between(usual.observe(), program));
                assertThat(machine.run("ip -o address show dev kube-ipvs0")).contains(vip + "/32 ");
                assertThat(machine.run("ip -o address show dev flannel.1")).doesNotContain(vip + "/");
                usual.apply(Patch.between(usual.observe(), Program.of(List.of())));
            }
            assertThat(machine.leftovers()).isEmpty();
        }
    }

    @Test
    void every_scheduler_is_one_of_the_kernel_and_those_that_hash_fall_back() {
        try (NamespaceMachine machine = machine()) {
            for (Scheduler scheduler : Scheduler.values()) {
                if (scheduler != Scheduler.NODE_DEFAULT) {
                    try (NamespaceMachine.Inside backend =
                            machine.open(NamespaceMachine.OPTIONS.withScheduler(scheduler.toString()))) {
                        assertThat(backend.support()).as("%s", scheduler).isEqualTo(new Support.Supported());
                    }
                }
            }
            for (Scheduling scheduling : List.of(Scheduling.of("sh"), Scheduling.of("mh"))) {
                ServerAddress place = new ServerAddress.At(Ip.parse("10.96.9.9"), Protocol.TCP, 80);
                Program<IpvsEntry> one = Program.of(List.of(new IpvsEntry.VirtualServer(place, scheduling, 0)));
                try (NamespaceMachine.Inside backend = machine.open()) {
                    backend.apply(Patch.between(backend.observe(), one));
                    assertThat(machine.run("ipvsadm -Sn").strip()).isEqualTo("-A -t 10.96.9.9:80 " + scheduling);
                    backend.apply(Patch.between(backend.observe(), Program.of(List.of())));
                }
            }
        }
    }

    @Test
    void rules_are_as_many_whatever_there_is_to_serve() {
        try (NamespaceMachine machine = machine();
                NamespaceMachine.Inside backend = machine.open()) {
            RandomRows rows = new RandomRows(23);
            Program<IpvsEntry> few = rows.steps(1).program(backend);
            backend.apply(Patch.between(backend.observe(), few));
            long before = machine.run("iptables-save")
                    .lines()
                    .filter(line -> line.startsWith("-A"))
                    .count();
            Program<IpvsEntry> many = rows.steps(40).program(backend);
            backend.apply(Patch.between(few, many));
            assertThat(machine.run("iptables-save")
                            .lines()
                            .filter(line -> line.startsWith("-A"))
                            .count())
                    .isEqualTo(before);
        }
    }

    private static String first(Program<IpvsEntry> program, Class<?> type, String start) {
        return program.entries()
                .filter(type::isInstance)
                .map(Object::toString)
                .filter(text -> text.startsWith(start))
                .findFirst()
                .orElseThrow();
    }
}
