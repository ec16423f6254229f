package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.Expression.Choose;
import io.fairlead.nftables.Expression.Compare;
import io.fairlead.nftables.Expression.Count;
import io.fairlead.nftables.Expression.Dnat;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Jump;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Lookup;
import io.fairlead.nftables.Expression.Mask;
import io.fairlead.nftables.Expression.Masquerade;
import io.fairlead.nftables.Expression.Note;
import io.fairlead.nftables.Expression.RejectUnreachable;
import io.fairlead.nftables.Expression.RejectWithReset;
import io.fairlead.nftables.Expression.Remember;
import io.fairlead.nftables.Expression.Return;
import io.fairlead.nftables.Expression.SetMark;
import java.util.Optional;

/// The steps of rules as netlink attributes, and back. Pure.
///
/// The numbers are those of linux/netfilter/nf_tables.h; all of them are in network byte order on the wire.
final class ExpressionCodec {
    // NFTA_EXPR_*
    static final int NAME = 1;
    static final int DATA = 2;

    private static final int DNAT = 1;
    private static final int RANDOM_FULLY = 1 << 4;
    private static final int IN_TURN = 0;
    private static final int RANDOM = 1;
    private static final long MILLIS = 1_000;
    private static final int TCP_RESET = 1;
    private static final int ICMP_UNREACHABLE = 0;
    private static final int PORT_UNREACHABLE = 3;
    private static final int PORT_UNREACHABLE_V6 = 4;

    private final Family family;

    ExpressionCodec(Family family) {
        this.family = family;
    }

    /// Writes the name and the attributes of a step.
    void encode(Expression step, NetlinkWriter writer) {
        writer.text(NAME, name(step)).open(DATA);
        switch (step) {
            case Load(PacketField field, int into) -> LoadCodec.encode(field, into, family, writer);
            case SetMark(int from) -> writer.be32(2, LoadCodec.META_MARK).be32(3, from);
            case Mask mask -> encode(mask, writer);
            case Compare compare -> encode(compare, writer);
            case Choose(int count, int first, boolean inTurn, int into) ->
                writer.be32(1, into)
                        .be32(2, count)
                        .be32(3, inTurn ? IN_TURN : RANDOM)
                        .be32(4, first);
            case Remember remember -> encode(remember, writer);
            case Count(int key, int seconds) ->
                writer.text(1, SetShape.CONNECTION.text())
                        .be32(3, Note.UPDATE.number())
                        .be32(4, key)
                        .be64(6, seconds * MILLIS);
            case Lookup lookup -> encode(lookup, writer);
            case Dnat(int address, int port) ->
                writer.be32(1, DNAT)
                        .be32(2, Layout.number(family))
                        .be32(3, address)
                        .be32(5, port);
            case Masquerade _ -> writer.be32(1, RANDOM_FULLY);
            case RejectWithReset _ -> writer.be32(1, TCP_RESET).u8(2, 0);
            case RejectUnreachable _ -> writer.be32(1, ICMP_UNREACHABLE).u8(2, portUnreachable());
            case Jump(String chain) -> encode(VerdictCodec.JUMP, chain, writer);
            case Goto(String chain) -> encode(VerdictCodec.GOTO, chain, writer);
            case Return _ -> encode(VerdictCodec.RETURN, "", writer);
            case Drop _ -> encode(VerdictCodec.DROP, "", writer);
        }
        writer.close();
    }

    private static String name(Expression step) {
        return switch (step) {
            case Load load -> LoadCodec.name(load.field());
            case SetMark _ -> "meta";
            case Mask _ -> "bitwise";
            case Compare _ -> "cmp";
            case Choose _ -> "numgen";
            case Lookup _ -> "lookup";
            case Remember _, Count _ -> "dynset";
            case Dnat _ -> "nat";
            case Masquerade _ -> "masq";
            case RejectWithReset _, RejectUnreachable _ -> "reject";
            case Jump _, Goto _, Return _, Drop _ -> "immediate";
        };
    }

    private static void encode(Mask step, NetlinkWriter writer) {
        writer.be32(1, step.register())
                .be32(2, step.register())
                .be32(3, step.mask().length());
        VerdictCodec.value(4, step.mask(), writer);
        VerdictCodec.value(5, step.flip(), writer);
    }

    private static void encode(Compare step, NetlinkWriter writer) {
        writer.be32(1, step.register()).be32(2, step.equal() ? 0 : 1);
        VerdictCodec.value(3, step.value(), writer);
    }

    private static void encode(Lookup step, NetlinkWriter writer) {
        writer.text(1, step.set().text()).be32(2, step.key());
        if (step.set().isMap()) {
            writer.be32(3, step.into());
        }
    }

    private static void encode(Remember step, NetlinkWriter writer) {
        writer.text(1, SetShape.AFFINITY.text())
                .be32(3, step.note().number())
                .be32(4, step.key())
                .be32(5, step.value())
                .be64(6, step.seconds() * MILLIS);
    }

    private static void encode(int verdict, String chain, NetlinkWriter writer) {
        writer.be32(1, 0);
        VerdictCodec.verdict(2, verdict, chain, writer);
    }

    private int portUnreachable() {
        return family == Family.IPV4 ? PORT_UNREACHABLE : PORT_UNREACHABLE_V6;
    }

    /// The step that these attributes are; nothing if it is none that this program writes.
    Optional<Expression> decode(NetlinkAttributes expression) {
        NetlinkAttributes data = expression.nested(DATA);
        String name = expression.text(NAME);
        return switch (name) {
            case "payload", "fib", "ct" -> LoadCodec.decode(name, data, family);
            case "meta" -> data.find(3).isPresent() ? decodeSetMark(data) : LoadCodec.decode(name, data, family);
            case "bitwise" -> decodeMask(data);
            case "cmp" -> decodeCompare(data);
            case "numgen" -> decodeChoose(data);
            case "lookup" -> decodeLookup(data);
            case "dynset" -> data.text(1).equals(SetShape.CONNECTION.text()) ? decodeCount(data) : decodeRemember(data);
            case "nat" -> decodeDnat(data);
            case "masq" -> data.be32(1) == RANDOM_FULLY ? Optional.of(new Masquerade()) : Optional.empty();
            case "reject" -> decodeReject(data);
            case "immediate" -> decodeVerdict(data);
            default -> Optional.empty();
        };
    }

    private static Optional<Expression> decodeSetMark(NetlinkAttributes data) {
        return data.be32(2) == LoadCodec.META_MARK ? Optional.of(new SetMark(register(data, 3))) : Optional.empty();
    }

    private static Optional<Expression> decodeMask(NetlinkAttributes data) {
        boolean plain = data.be32(1) == data.be32(2) && data.be32(6) == 0;
        return plain
                ? Optional.of(new Mask(
                        register(data, 1), VerdictCodec.value(data.nested(4)), VerdictCodec.value(data.nested(5))))
                : Optional.empty();
    }

    private static Optional<Expression> decodeCompare(NetlinkAttributes data) {
        int operator = data.be32(2);
        return operator <= 1
                ? Optional.of(new Compare(register(data, 1), operator == 0, VerdictCodec.value(data.nested(3))))
                : Optional.empty();
    }

    private static Optional<Expression> decodeChoose(NetlinkAttributes data) {
        int type = data.be32(3);
        return type == RANDOM || type == IN_TURN
                ? Optional.of(new Choose(data.be32(2), data.be32(4), type == IN_TURN, register(data, 1)))
                : Optional.empty();
    }

    private static Optional<Expression> decodeRemember(NetlinkAttributes data) {
        return Note.find(data.be32(3))
                .filter(_ -> data.text(1).equals(SetShape.AFFINITY.text()))
                .map(note -> new Remember(note, register(data, 4), register(data, 5), (int) (data.be64(6) / MILLIS)));
    }

    private static Optional<Expression> decodeCount(NetlinkAttributes data) {
        return data.be32(3) == Note.UPDATE.number()
                ? Optional.of(new Count(register(data, 4), (int) (data.be64(6) / MILLIS)))
                : Optional.empty();
    }

    private static Optional<Expression> decodeLookup(NetlinkAttributes data) {
        return SetShape.find(data.text(1))
                .filter(set -> data.be32(5) == 0 && set.isMap() == data.find(3).isPresent())
                .map(set -> new Lookup(set, register(data, 2), set.isMap() ? register(data, 3) : 0));
    }

    private Optional<Expression> decodeDnat(NetlinkAttributes data) {
        boolean plain = data.be32(1) == DNAT && data.be32(2) == Layout.number(family);
        return plain ? Optional.of(new Dnat(register(data, 3), register(data, 5))) : Optional.empty();
    }

    private Optional<Expression> decodeReject(NetlinkAttributes data) {
        int code = data.u8(2);
        return switch (data.be32(1)) {
            case TCP_RESET -> Optional.of(new RejectWithReset());
            case ICMP_UNREACHABLE ->
                code == portUnreachable() ? Optional.of(new RejectUnreachable()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<Expression> decodeVerdict(NetlinkAttributes data) {
        NetlinkAttributes verdict = VerdictCodec.verdict(data.nested(2));
        return switch (VerdictCodec.code(verdict)) {
            case VerdictCodec.JUMP -> Optional.of(new Jump(VerdictCodec.chain(verdict)));
            case VerdictCodec.GOTO -> Optional.of(new Goto(VerdictCodec.chain(verdict)));
            case VerdictCodec.RETURN -> Optional.of(new Return());
            case VerdictCodec.DROP -> Optional.of(new Drop());
            default -> Optional.empty();
        };
    }

    /// The kernel tells a register by the number of a 16-byte one where it can: 1 for 8, 2 for 12 and so on.
    static int register(NetlinkAttributes data, int type) {
        int number = data.be32(type);
        return number >= 1 && number <= 4 ? FIRST_REGISTER + 4 * (number - 1) : number;
    }
}
