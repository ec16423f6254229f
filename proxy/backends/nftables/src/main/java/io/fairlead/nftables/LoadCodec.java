package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.Expression.Load;
import java.util.Arrays;
import java.util.Optional;

/// The loading of a field as netlink attributes, and back.
final class LoadCodec {
    static final int META_MARK = 3;

    private static final int META_L4PROTO = 16;
    private static final int META_IIFNAME = 6;
    private static final int FIB_ADDRTYPE = 3;
    private static final int FIB_SADDR = 1;
    private static final int FIB_DADDR = 2;
    private static final int NETWORK_HEADER = 1;
    private static final int TRANSPORT_HEADER = 2;
    private static final int CT_STATUS = 2;
    private static final int CT_PROTO_DST = 12;
    private static final int CT_DST_IP = 20;
    private static final int CT_DST_IP6 = 22;
    private static final int CT_DIRECTION = 3;
    private static final int ORIGINAL = 0;

    private LoadCodec() {}

    static String name(PacketField field) {
        return switch (field) {
            case SOURCE, DESTINATION, PORT -> "payload";
            case PROTOCOL, MARK, INTERFACE -> "meta";
            case SOURCE_TYPE, DESTINATION_TYPE -> "fib";
            case INDEX -> "numgen";
            case ORIGINAL_DESTINATION, ORIGINAL_PORT, STATUS -> "ct";
        };
    }

    static void encode(PacketField field, int into, Family family, NetlinkWriter writer) {
        writer.be32(1, into);
        int type = 2;
        for (int value : attributes(field, family)) {
            writer.be32(type++, value);
        }
        if (hasDirection(field)) {
            writer.u8(CT_DIRECTION, ORIGINAL);
        }
    }

    private static boolean hasDirection(PacketField field) {
        return field == PacketField.ORIGINAL_DESTINATION || field == PacketField.ORIGINAL_PORT;
    }

    /// The load whose attributes would be these: there are few, so all are tried.
    static Optional<Expression> decode(String name, NetlinkAttributes data, Family family) {
        return Arrays.stream(PacketField.values())
                .filter(field -> name(field).equals(name) && isLoadOf(field, data, family))
                .<Expression>map(field -> new Load(field, ExpressionCodec.register(data, 1)))
                .findFirst();
    }

    private static boolean isLoadOf(PacketField field, NetlinkAttributes data, Family family) {
        int type = 2;
        for (int value : attributes(field, family)) {
            if (data.be32(type++) != value) {
                return false;
            }
        }
        return !hasDirection(field) || (data.find(CT_DIRECTION).isPresent() && data.u8(CT_DIRECTION) == ORIGINAL);
    }

    /// The attributes behind the register, from number 2 on.
    private static int[] attributes(PacketField field, Family family) {
        int length = field.bytes(family);
        return switch (field) {
            case SOURCE -> new int[] {NETWORK_HEADER, family == Family.IPV4 ? 12 : 8, length};
            case DESTINATION -> new int[] {NETWORK_HEADER, family == Family.IPV4 ? 16 : 24, length};
            case PORT -> new int[] {TRANSPORT_HEADER, 2, length};
            case PROTOCOL -> new int[] {META_L4PROTO};
            case MARK -> new int[] {META_MARK};
            case INTERFACE -> new int[] {META_IIFNAME};
            case SOURCE_TYPE -> new int[] {FIB_ADDRTYPE, FIB_SADDR};
            case DESTINATION_TYPE -> new int[] {FIB_ADDRTYPE, FIB_DADDR};
            case STATUS -> new int[] {CT_STATUS};
            case ORIGINAL_PORT -> new int[] {CT_PROTO_DST};
            case ORIGINAL_DESTINATION -> new int[] {family == Family.IPV4 ? CT_DST_IP : CT_DST_IP6};
            case INDEX -> throw new IllegalArgumentException("an index is chosen, not loaded");
        };
    }
}
