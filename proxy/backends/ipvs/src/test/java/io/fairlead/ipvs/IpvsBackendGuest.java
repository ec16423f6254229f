package io.fairlead.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.DurableContract;
import io.fairlead.testkit.RandomRows;
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
                    "ipset del " + member.substring(4),
                    "ip address del " + address + "/32 dev kube-ipvs0",
                    "ip address add 10.96.77.77/32 dev kube-ipvs0",
                    "ipset add KUBE-CLUSTER-IP 10.96.77.77,tcp:80",
                    "ipvsadm -A -t 10.96.77.77:80 -s rr",
                    "ip rule del table 30998",
                    "iptables -t mangle -F KUBE-IPVS-SERVICES")) {
                machine.run(deed);
                assertThat(backend.drifted()).as(deed).isTrue();

                backend.apply(Patch.between(backend.observe(), program));

                assertThat(backend.observe().text()).as(deed).isEqualTo(program.text());
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
