package io.fairlead.nftables;

import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;

/// What nf_tables wraps values and verdicts in: the attributes NFTA_DATA_*.
final class VerdictCodec {
    static final int DROP = 0;
    static final int JUMP = -3;
    static final int GOTO = -4;
    static final int RETURN = -5;

    private static final int DATA_VALUE = 1;
    private static final int DATA_VERDICT = 2;
    private static final int CODE = 1;
    private static final int CHAIN = 2;
    private static final int NO_VERDICT = Integer.MIN_VALUE;

    private VerdictCodec() {}

    static void value(int type, Bytes value, NetlinkWriter writer) {
        writer.open(type);
        value.writeTo(writer, DATA_VALUE);
        writer.close();
    }

    static Bytes value(NetlinkAttributes data) {
        return data.find(DATA_VALUE).map(Bytes::of).orElse(Bytes.NONE);
    }

    static void verdict(int type, int code, String chain, NetlinkWriter writer) {
        writer.open(type).open(DATA_VERDICT).be32(CODE, code);
        if (!chain.isEmpty()) {
            writer.text(CHAIN, chain);
        }
        writer.close().close();
    }

    static NetlinkAttributes verdict(NetlinkAttributes data) {
        return data.nested(DATA_VERDICT);
    }

    static int code(NetlinkAttributes verdict) {
        return verdict.find(CODE).isPresent() ? verdict.be32(CODE) : NO_VERDICT;
    }

    static String chain(NetlinkAttributes verdict) {
        return verdict.text(CHAIN);
    }
}
