package io.fairlead.nftables;

import static io.fairlead.nftables.Expression.LOCAL;
import static io.fairlead.nftables.Layout.FIRST_REGISTER;
import static io.fairlead.nftables.Layout.addressRegisters;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.nftables.Expression.Compare;
import io.fairlead.nftables.Expression.Count;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Mask;
import io.fairlead.nftables.Expression.SetMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Sequences of steps that rules are made of. Each begins at the first register, and may overwrite it.
final class Steps {
    private static final Bytes ZERO = Bytes.number(0);
    private static final int DNAT = 1 << 5; // IPS_DST_NAT
    private static final int COUNTED_SECONDS = 86_400;

    private final Family family;
    private final LocalPods pods;
    private final int mark;

    Steps(Family family, NodeFacts node) {
        this.family = family;
        this.pods = node.pods();
        this.mark = node.masqueradeMark();
    }

    /// Address, protocol and port, side by side: the key of an address.
    static List<Expression> loadAddressAndPort(Family family) {
        int next = FIRST_REGISTER + addressRegisters(family);
        return List.of(
                new Load(PacketField.DESTINATION, FIRST_REGISTER),
                new Load(PacketField.PROTOCOL, next),
                new Load(PacketField.PORT, next + 1));
    }

    /// Protocol and port, side by side: the key of a node port.
    static List<Expression> loadPort() {
        return List.of(new Load(PacketField.PROTOCOL, FIRST_REGISTER), new Load(PacketField.PORT, FIRST_REGISTER + 1));
    }

    /// The first bits of an address; the others are zero.
    static List<Expression> loadNetwork(PacketField address, Family family, int prefix, int into) {
        List<Expression> steps = new ArrayList<>();
        steps.add(new Load(address, into));
        int bits = family.bits();
        if (prefix < bits) {
            steps.add(new Mask(into, Bytes.mask(prefix, bits / 8), Bytes.mask(0, bits / 8)));
        }
        return steps;
    }

    /// Goes on if the destination is an address of this machine and in `network`. Loopback is left out: the kernel lets
    /// no packet from there go to another machine.
    static List<Expression> isOwnAddress(Cidr network) {
        List<Expression> steps = new ArrayList<>();
        steps.add(new Load(PacketField.DESTINATION_TYPE, FIRST_REGISTER));
        steps.add(new Compare(FIRST_REGISTER, true, Bytes.number(LOCAL)));
        steps.addAll(is(loopback(network.family()), PacketField.DESTINATION, false));
        if (network.prefix() > 0) {
            steps.addAll(isInside(network, PacketField.DESTINATION));
        }
        return steps;
    }

    private static Cidr loopback(Family family) {
        return switch (family) {
            case IPV4 -> Cidr.parse("127.0.0.0/8");
            case IPV6 -> Cidr.parse("::1/128");
        };
    }

    static List<Expression> isInside(Cidr network, PacketField address) {
        return is(network, address, true);
    }

    private static List<Expression> is(Cidr network, PacketField address, boolean inside) {
        List<Expression> steps =
                new ArrayList<>(loadNetwork(address, network.family(), network.prefix(), FIRST_REGISTER));
        steps.add(new Compare(FIRST_REGISTER, inside, Bytes.NONE.and(network.network())));
        return steps;
    }

    static List<Expression> isProtocol(int number) {
        return List.of(new Load(PacketField.PROTOCOL, FIRST_REGISTER), new Compare(FIRST_REGISTER, true, Bytes.of((byte)
                number)));
    }

    /// Goes on for what the node's own processes send.
    static List<Expression> isFromNode() {
        return List.of(
                new Load(PacketField.SOURCE_TYPE, FIRST_REGISTER),
                new Compare(FIRST_REGISTER, true, Bytes.number(LOCAL)));
    }

    /// The rules of which one goes on for what a pod of this node sends; none where the proxy cannot know pods.
    List<Rule> isPod() {
        return switch (pods) {
            case LocalPods.Networks(var networks) ->
                networks.stream()
                        .filter(network -> network.family() == family)
                        .map(network -> new Rule(isInside(network, PacketField.SOURCE)))
                        .toList();
            case LocalPods.Bridge(String name) -> List.of(isInterface(interfaceName(name), true));
            case LocalPods.InterfacePrefix(String prefix) -> List.of(isInterface(ascii(prefix), true));
            case LocalPods.Unknown _ -> List.of();
        };
    }

    /// The rule that goes on for what no pod sends; none where the proxy cannot know pods.
    List<Rule> isOffCluster() {
        if (!pods.isKnown(family)) {
            return List.of();
        }
        return switch (pods) {
            case LocalPods.Networks(var networks) ->
                List.of(new Rule(networks.stream()
                        .filter(network -> network.family() == family)
                        .flatMap(network -> is(network, PacketField.SOURCE, false).stream())
                        .toList()));
            case LocalPods.Bridge(String name) -> List.of(isInterface(interfaceName(name), false));
            case LocalPods.InterfacePrefix(String prefix) -> List.of(isInterface(ascii(prefix), false));
            case LocalPods.Unknown _ -> List.of();
        };
    }

    private static Rule isInterface(Bytes name, boolean equal) {
        return Rule.of(new Load(PacketField.INTERFACE, FIRST_REGISTER), new Compare(FIRST_REGISTER, equal, name));
    }

    private static Bytes interfaceName(String name) {
        return Bytes.of(Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), PacketField.INTERFACE_BYTES));
    }

    private static Bytes ascii(String text) {
        return Bytes.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Goes on if the connection was led elsewhere than it was to go.
    static List<Expression> isLed() {
        return List.of(
                new Load(PacketField.STATUS, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(DNAT), ZERO),
                new Compare(FIRST_REGISTER, false, ZERO));
    }

    /// Counts where the connection was to go, and where it goes instead.
    List<Expression> count() {
        int port = FIRST_REGISTER + addressRegisters(family) + 1;
        int target = port + 1;
        return List.of(
                new Load(PacketField.ORIGINAL_DESTINATION, FIRST_REGISTER),
                new Load(PacketField.PROTOCOL, port - 1),
                new Load(PacketField.ORIGINAL_PORT, port),
                new Load(PacketField.DESTINATION, target),
                new Load(PacketField.PORT, target + addressRegisters(family)),
                new Count(FIRST_REGISTER, COUNTED_SECONDS));
    }

    /// Asks for masquerading.
    List<Expression> mark() {
        return List.of(
                new Load(PacketField.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(~mark), Bytes.number(mark)),
                new SetMark(FIRST_REGISTER));
    }

    List<Expression> isMarked() {
        return List.of(
                new Load(PacketField.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(mark), ZERO),
                new Compare(FIRST_REGISTER, false, ZERO));
    }

    List<Expression> unmark() {
        return List.of(
                new Load(PacketField.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(~mark), ZERO),
                new SetMark(FIRST_REGISTER));
    }

    /// Takes a number through the packet's mark and back, which stays as it was. It changes nothing, but nft dies of
    /// an assertion when it lists a rule in which the result of one look-up is the key of the next; not when it
    /// comes from the mark.
    static List<Expression> throughMark(int register, int saved) {
        return List.of(
                new Load(PacketField.MARK, saved),
                new SetMark(register),
                new Load(PacketField.MARK, register),
                new SetMark(saved));
    }
}
