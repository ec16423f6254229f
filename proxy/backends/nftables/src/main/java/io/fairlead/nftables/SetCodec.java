package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// The declaration of a set as netlink attributes, NFTA_SET_*, and back. Pure.
///
/// No set that we fill has a size: the kernel then takes a hash table that grows. A fixed one loads faster, but refuses
/// elements when it is full. Those that the kernel fills must have an end: that many clients are remembered.
final class SetCodec {
    private static final int TABLE = 1;
    private static final int NAME = 2;
    private static final int FLAGS = 3;
    private static final int KEY_TYPE = 4;
    private static final int KEY_LENGTH = 5;
    private static final int DATA_TYPE = 6;
    private static final int DATA_LENGTH = 7;
    private static final int DESCRIPTION = 9;
    private static final int SIZE = 1;
    private static final int ID = 10;
    private static final int USERDATA = 13;
    private static final int EXPRESSION = 17;

    // The kernel wants a number to find the set by within the transaction; rules of ours name it.
    private static final int ANY_ID = 1;
    private static final int IS_MAP = 8;
    private static final int TIMEOUT = 0x10;
    private static final int DYNAMIC = 0x20;
    private static final int MOST_LEARNED = 262_144;
    private static final int VERDICT_TYPE = 0xffffff00;

    private final Family family;

    SetCodec(Family family) {
        this.family = family;
    }

    static void encodeName(SetShape shape, String table, NetlinkWriter writer) {
        writer.text(TABLE, table).text(NAME, shape.text());
    }

    void encode(SetShape shape, String table, NetlinkWriter writer) {
        encodeName(shape, table, writer);
        writer.be32(ID, ANY_ID).be32(FLAGS, flags(shape));
        writer.be32(KEY_TYPE, type(shape.key())).be32(KEY_LENGTH, SetShape.length(shape.key(), family));
        if (shape.isMap()) {
            writer.be32(DATA_TYPE, dataType(shape)).be32(DATA_LENGTH, dataLength(shape));
        }
        if (shape.isLearned()) {
            writer.open(DESCRIPTION).be32(SIZE, MOST_LEARNED).close();
        }
        writer.bytes(USERDATA, TypeOf.of(shape, family));
        if (shape.isCounted()) {
            writer.open(EXPRESSION).text(ExpressionCodec.NAME, "counter");
            writer.open(ExpressionCodec.DATA).close().close();
        }
    }

    /// The set that is declared by these attributes; nothing if it is none that this program declares.
    Optional<SetShape> decode(NetlinkAttributes set) {
        return SetShape.find(set.text(NAME)).filter(shape -> isDeclaredBy(shape, set));
    }

    private boolean isDeclaredBy(SetShape shape, NetlinkAttributes set) {
        String expression = set.nested(EXPRESSION).text(ExpressionCodec.NAME);
        return set.be32(FLAGS) == flags(shape)
                && set.be32(KEY_TYPE) == type(shape.key())
                && set.be32(KEY_LENGTH) == SetShape.length(shape.key(), family)
                && set.be32(DATA_TYPE) == (shape.isMap() ? dataType(shape) : 0)
                && (shape.isVerdictMap() || set.be32(DATA_LENGTH) == dataLength(shape))
                && expression.equals(shape.isCounted() ? "counter" : "")
                && set.find(USERDATA).map(Bytes::of).equals(Optional.of(Bytes.of(TypeOf.of(shape, family))));
    }

    private static int flags(SetShape shape) {
        return (shape.isMap() ? IS_MAP : 0) | (shape.isLearned() ? TIMEOUT | DYNAMIC : 0);
    }

    private int dataType(SetShape shape) {
        return shape.isVerdictMap() ? VERDICT_TYPE : type(shape.data());
    }

    private int dataLength(SetShape shape) {
        return SetShape.length(shape.data(), family);
    }

    /// nft's number for a type: 6 bits for each part of a concatenation.
    private int type(List<PacketField> fields) {
        int type = 0;
        for (PacketField field : fields) {
            type = type << 6 | type(field);
        }
        return type;
    }

    private int type(PacketField field) {
        return switch (field) {
            case SOURCE, DESTINATION -> family == Family.IPV4 ? 7 : 8;
            case PROTOCOL -> 12;
            case PORT -> 13;
            case MARK -> 19;
            case INDEX -> 4;
            case INTERFACE, SOURCE_TYPE, DESTINATION_TYPE, ORIGINAL_DESTINATION, ORIGINAL_PORT, STATUS ->
                throw new IllegalArgumentException("no set holds " + field);
        };
    }

    /// What is attached to a set for nft to read: of which expressions its keys and contents are. Pure.
    ///
    /// The kernel only keeps it. Without it nft could not print the elements. It is a tree of records: type,
    /// length, value, with one byte each for type and length. The numbers are those of libnftnl.
    private static final class TypeOf {
        private static final int KEY_BYTE_ORDER = 0;
        private static final int KEY_TYPEOF = 3;
        private static final int DATA_TYPEOF = 4;
        private static final int HOST_ORDER = 1;

        // inside of a typeof
        private static final int EXPRESSION = 0;
        private static final int BODY = 1;

        private static final int PAYLOAD = 7;
        private static final int META = 9;
        private static final int CONCATENATION = 13;
        private static final int NUMGEN = 23;

        private static final int TRANSPORT_HEADER = 11;
        private static final int IPV4_HEADER = 12;
        private static final int IPV6_HEADER = 13;

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        static byte[] of(SetShape shape, Family family) {
            TypeOf comment = new TypeOf();
            if (shape.isVerdictMap()) {
                comment.number(KEY_BYTE_ORDER, HOST_ORDER);
            }
            comment.record(KEY_TYPEOF, typeOf(shape.key(), family));
            if (!shape.data().isEmpty()) {
                comment.record(DATA_TYPEOF, typeOf(shape.data(), family));
            }
            return comment.bytes.toByteArray();
        }

        private static TypeOf typeOf(List<PacketField> fields, Family family) {
            if (fields.size() == 1) {
                return typeOf(fields.getFirst(), family);
            }
            TypeOf parts = new TypeOf();
            for (int i = 0; i < fields.size(); i++) {
                parts.record(i, typeOf(fields.get(i), family));
            }
            return new TypeOf().number(EXPRESSION, CONCATENATION).record(BODY, parts);
        }

        private static TypeOf typeOf(PacketField field, Family family) {
            boolean ipv4 = family == Family.IPV4;
            int header = ipv4 ? IPV4_HEADER : IPV6_HEADER;
            return switch (field) {
                case SOURCE -> expression(PAYLOAD, header, ipv4 ? 11 : 8);
                case DESTINATION -> expression(PAYLOAD, header, ipv4 ? 12 : 9);
                case PORT -> expression(PAYLOAD, TRANSPORT_HEADER, 2);
                case PROTOCOL -> expression(META, 16);
                case MARK -> expression(META, 3);
                case INDEX -> expression(NUMGEN, 1, 1, 0);
                case INTERFACE, SOURCE_TYPE, DESTINATION_TYPE, ORIGINAL_DESTINATION, ORIGINAL_PORT, STATUS ->
                    throw new IllegalArgumentException("no set holds " + field);
            };
        }

        private static TypeOf expression(int kind, int... numbers) {
            TypeOf body = new TypeOf();
            for (int i = 0; i < numbers.length; i++) {
                body.number(i, numbers[i]);
            }
            return new TypeOf().number(EXPRESSION, kind).record(BODY, body);
        }

        private TypeOf number(int type, int value) {
            byte[] number = ByteBuffer.allocate(4)
                    .order(ByteOrder.nativeOrder())
                    .putInt(value)
                    .array();
            return bytes(type, number);
        }

        private TypeOf record(int type, TypeOf value) {
            return bytes(type, value.bytes.toByteArray());
        }

        private TypeOf bytes(int type, byte[] value) {
            bytes.write(type);
            bytes.write(value.length);
            bytes.writeBytes(value);
            return this;
        }
    }
}
