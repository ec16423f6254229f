package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.addressRegisters;

import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// A value that rules load into registers, and that keys and contents of sets are made of.
enum PacketField {
    SOURCE("saddr"),
    DESTINATION("daddr"),
    PROTOCOL("meta l4proto"),
    PORT("th dport"),
    MARK("meta mark"),
    /// Which of several endpoints: a random number below their count.
    INDEX("numgen random mod 1"),
    /// The name of the interface that the packet came in by; empty if it came from the node itself.
    INTERFACE("iifname"),
    /// Whether the source is an address of this very machine.
    SOURCE_TYPE("fib saddr type"),
    /// Whether the destination is an address of this very machine.
    DESTINATION_TYPE("fib daddr type"),
    /// Where the connection was to go before it was led elsewhere.
    ORIGINAL_DESTINATION("daddr"),
    ORIGINAL_PORT("ct original proto-dst"),
    /// What was done to the connection: bits of `IPS_*`.
    STATUS("ct status");

    /// IFNAMSIZ
    static final int INTERFACE_BYTES = 16;

    private final String text;

    PacketField(String text) {
        this.text = text;
    }

    boolean isAddress() {
        return this == SOURCE || this == DESTINATION || this == ORIGINAL_DESTINATION;
    }

    int registers(Family family) {
        return isAddress() ? addressRegisters(family) : this == INTERFACE ? 4 : 1;
    }

    /// How many bytes of its registers it fills.
    int bytes(Family family) {
        return switch (this) {
            case SOURCE, DESTINATION, ORIGINAL_DESTINATION -> family.bits() / 8;
            case PROTOCOL -> 1;
            case PORT, ORIGINAL_PORT -> 2;
            case INTERFACE -> INTERFACE_BYTES;
            case MARK, INDEX, SOURCE_TYPE, DESTINATION_TYPE, STATUS -> 4;
        };
    }

    /// As a rule spells it.
    String text(Family family) {
        String address = Layout.name(family) + " " + text;
        return this == ORIGINAL_DESTINATION ? "ct original " + address : isAddress() ? address : text;
    }

    /// A value of this field as nft spells it.
    String format(Bytes value) {
        return switch (this) {
            case SOURCE, DESTINATION, ORIGINAL_DESTINATION -> value.ip().toString();
            case PROTOCOL ->
                findProtocol(value.octet()).map(Protocol::lowerCase).orElse("protocol " + value.octet());
            case PORT, ORIGINAL_PORT -> Integer.toString(value.port());
            case MARK -> "0x%08x".formatted(value.number());
            case INDEX, STATUS -> Integer.toString(value.number());
            case INTERFACE -> interfaceName(value);
            case SOURCE_TYPE, DESTINATION_TYPE ->
                value.number() == Expression.LOCAL ? "local" : "type " + value.number();
        };
    }

    /// A whole name ends with a zero; without one it is what names begin with.
    private static String interfaceName(Bytes value) {
        String text = new String(value.toArray(), StandardCharsets.US_ASCII);
        int end = text.indexOf(0);
        return "\"" + (end < 0 ? text + "*" : text.substring(0, end)) + "\"";
    }

    static Optional<Protocol> findProtocol(int number) {
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.number() == number)
                .findFirst();
    }
}
