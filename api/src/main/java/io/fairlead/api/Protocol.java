package io.fairlead.api;

import java.util.Locale;

/// The transport protocols a Service port may have, with their numbers in the IP header.
public enum Protocol {
    TCP(6),
    UDP(17),
    SCTP(132);

    private final int number;

    Protocol(int number) {
        this.number = number;
    }

    /// As the API spells it; absent means TCP.
    public static Protocol of(String text) {
        return switch (text) {
            case "UDP" -> UDP;
            case "SCTP" -> SCTP;
            default -> TCP;
        };
    }

    public int number() {
        return number;
    }

    /// `tcp`, as packet filters and people write it.
    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }
}
