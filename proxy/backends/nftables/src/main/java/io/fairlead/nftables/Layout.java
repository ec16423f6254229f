package io.fairlead.nftables;

import io.fairlead.api.Family;

/// The numbers and names of the layout that hold everywhere.
final class Layout {
    static final String TABLE = "fairlead";

    /// NFT_REG32_00: the first of the 16 registers of 4 bytes.
    static final int FIRST_REGISTER = 8;

    static final int LAST_REGISTER = FIRST_REGISTER + 15;

    private Layout() {}

    /// How many registers an address takes.
    static int addressRegisters(Family family) {
        return family.bits() / 32;
    }

    /// As nft spells it.
    static String name(Family family) {
        return switch (family) {
            case IPV4 -> "ip";
            case IPV6 -> "ip6";
        };
    }

    /// NFPROTO_IPV4 or NFPROTO_IPV6.
    static int number(Family family) {
        return switch (family) {
            case IPV4 -> 2;
            case IPV6 -> 10;
        };
    }
}
