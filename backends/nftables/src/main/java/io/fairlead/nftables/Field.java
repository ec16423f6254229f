package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.addressRegisters;

import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import java.util.Arrays;
import java.util.Optional;

/// A value that rules load into registers, and that keys and contents of sets are made of.
enum Field {
    SOURCE("saddr"),
    DESTINATION("daddr"),
    PROTOCOL("meta l4proto"),
    PORT("th dport"),
    MARK("meta mark"),
    /// Which of several endpoints: a random number below their count.
    INDEX("numgen random mod 1"),
    /// What connection tracking thinks of the packet.
    STATE("ct state"),
    /// Whether the destination is an address of this very machine.
    DESTINATION_TYPE("fib daddr type");

    private final String text;

    Field(String text) {
        this.text = text;
    }

    boolean isAddress() {
        return this == SOURCE || this == DESTINATION;
    }

    int registers(Family family) {
        return isAddress() ? addressRegisters(family) : 1;
    }

    /// How many bytes of its registers it fills.
    int bytes(Family family) {
        return switch (this) {
            case SOURCE, DESTINATION -> family.bits() / 8;
            case PROTOCOL -> 1;
            case PORT -> 2;
            case MARK, INDEX, STATE, DESTINATION_TYPE -> 4;
        };
    }

    /// As a rule spells it.
    String text(Family family) {
        return isAddress() ? Layout.name(family) + " " + text : text;
    }

    /// A value of this field as nft spells it.
    String format(Bytes value) {
        return switch (this) {
            case SOURCE, DESTINATION -> value.ip().toString();
            case PROTOCOL ->
                findProtocol(value.octet()).map(Protocol::lowerCase).orElse("protocol " + value.octet());
            case PORT -> Integer.toString(value.port());
            case MARK, STATE -> "0x%08x".formatted(value.number());
            case INDEX -> Integer.toString(value.number());
            case DESTINATION_TYPE -> value.number() == Expression.LOCAL ? "local" : "type " + value.number();
        };
    }

    static Optional<Protocol> findProtocol(int number) {
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.number() == number)
                .findFirst();
    }
}
