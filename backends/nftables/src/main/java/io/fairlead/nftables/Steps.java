package io.fairlead.nftables;

import static io.fairlead.nftables.Expression.LOCAL;
import static io.fairlead.nftables.Expression.STATE_NEW;
import static io.fairlead.nftables.Layout.FIRST_REGISTER;
import static io.fairlead.nftables.Layout.MASQUERADE_MARK;
import static io.fairlead.nftables.Layout.addressRegisters;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.nftables.Expression.Compare;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Mask;
import io.fairlead.nftables.Expression.SetMark;
import java.util.ArrayList;
import java.util.List;

/// Sequences of steps that rules are made of. Each begins at the first register, and may overwrite it.
final class Steps {
    private static final Bytes ZERO = Bytes.number(0);

    private Steps() {}

    /// Address, protocol and port, side by side: the key of a virtual address.
    static List<Expression> loadAddressAndPort(Family family) {
        int next = FIRST_REGISTER + addressRegisters(family);
        return List.of(
                new Load(Field.DESTINATION, FIRST_REGISTER),
                new Load(Field.PROTOCOL, next),
                new Load(Field.PORT, next + 1));
    }

    /// Protocol and port, side by side: the key of a node port.
    static List<Expression> loadPort() {
        return List.of(new Load(Field.PROTOCOL, FIRST_REGISTER), new Load(Field.PORT, FIRST_REGISTER + 1));
    }

    /// Goes on if the destination is an address of this machine, loopback left out: node ports do not answer there.
    static List<Expression> isOwnAddress(Family family) {
        List<Expression> steps = new ArrayList<>();
        steps.add(new Load(Field.DESTINATION_TYPE, FIRST_REGISTER));
        steps.add(new Compare(FIRST_REGISTER, true, Bytes.number(LOCAL)));
        steps.addAll(isOutside(loopback(family), Field.DESTINATION));
        return steps;
    }

    private static Cidr loopback(Family family) {
        return switch (family) {
            case IPV4 -> Cidr.parse("127.0.0.0/8");
            case IPV6 -> Cidr.parse("::1/128");
        };
    }

    static List<Expression> isOutside(Cidr network, Field address) {
        List<Expression> steps = new ArrayList<>();
        steps.add(new Load(address, FIRST_REGISTER));
        int bits = network.family().bits();
        if (network.prefix() < bits) {
            Bytes none = Bytes.mask(0, bits / 8);
            steps.add(new Mask(FIRST_REGISTER, Bytes.mask(network.prefix(), bits / 8), none));
        }
        steps.add(new Compare(FIRST_REGISTER, false, Bytes.NONE.and(network.network())));
        return steps;
    }

    static List<Expression> isNewConnection() {
        return List.of(
                new Load(Field.STATE, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(STATE_NEW), ZERO),
                new Compare(FIRST_REGISTER, false, ZERO));
    }

    static List<Expression> isProtocol(int number) {
        return List.of(
                new Load(Field.PROTOCOL, FIRST_REGISTER), new Compare(FIRST_REGISTER, true, Bytes.of((byte) number)));
    }

    static List<Expression> markForMasquerade() {
        return List.of(
                new Load(Field.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(~MASQUERADE_MARK), Bytes.number(MASQUERADE_MARK)),
                new SetMark(FIRST_REGISTER));
    }

    static List<Expression> isMarkedForMasquerade() {
        return List.of(
                new Load(Field.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(MASQUERADE_MARK), ZERO),
                new Compare(FIRST_REGISTER, false, ZERO));
    }

    static List<Expression> unmark() {
        return List.of(
                new Load(Field.MARK, FIRST_REGISTER),
                new Mask(FIRST_REGISTER, Bytes.number(~MASQUERADE_MARK), ZERO),
                new SetMark(FIRST_REGISTER));
    }

    /// Takes a number through the packet's mark and back, which stays as it was. It changes nothing, but nft dies of
    /// an assertion when it lists a rule in which the result of one look-up is the key of the next; not when it
    /// comes from the mark.
    static List<Expression> launder(int register) {
        int saved = register + 1;
        return List.of(
                new Load(Field.MARK, saved), new SetMark(register), new Load(Field.MARK, register), new SetMark(saved));
    }
}
