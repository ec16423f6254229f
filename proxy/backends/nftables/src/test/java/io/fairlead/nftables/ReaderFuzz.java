package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import java.util.Arrays;

/// What Jazzer calls: the attributes of a rule, chain, set or element, as another program may have put them into a
/// table
/// of ours. They are read, or found to be foreign; what is no attribute at all is an [IllegalStateException]. The name
/// of
/// the method is Jazzer's.
public final class ReaderFuzz {
    private static final SetShape[] SETS = SetShape.values();

    private ReaderFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        Family family = input[0] < 0 ? Family.IPV6 : Family.IPV4;
        byte[] rest = Arrays.copyOfRange(input, 2, input.length);
        try {
            NetlinkAttributes attributes = NetlinkAttributes.of(rest, 0, rest.length);
            switch (input[0] & 3) {
                case 0 -> new ChainCodec(family).decode(attributes);
                case 1 -> new ChainCodec(family).decodeRule(attributes);
                case 2 -> new SetCodec(family).decode(attributes);
                default -> ElementCodec.decode(attributes, SETS[Byte.toUnsignedInt(input[1]) % SETS.length], family);
            }
        } catch (IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).startsWith("netlink attribute")) {
                throw e;
            }
        }
    }
}
