package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Elements as netlink attributes, NFTA_SET_ELEM_*, and back. Pure.
final class ElementCodec {
    // NFTA_SET_ELEM_LIST_*
    static final int TABLE = 1;
    static final int SET = 2;
    static final int ELEMENTS = 3;
    // NFTA_LIST_ELEM
    static final int ITEM = 1;

    private static final int KEY = 1;
    private static final int DATA = 2;
    private static final int USERDATA = 6;
    private static final int EXPRESSION = 7;
    private static final int COUNTER_PACKETS = 2;
    private static final int COMMENT = 0;

    private ElementCodec() {}

    static void encodeKey(Element element, NetlinkWriter writer) {
        writer.open(ITEM);
        VerdictCodec.value(KEY, element.match(), writer);
        writer.close();
    }

    /// Encodes one element after the other. Those of one Service mostly follow one another, and share its name.
    static final class Encoder {
        private String comment = "";
        private byte[] userData = {};

        void encode(Element element, NetlinkWriter writer) {
            writer.open(ITEM);
            VerdictCodec.value(KEY, element.match(), writer);
            element.content().encode(DATA, writer);
            if (!element.comment().isEmpty()) {
                writer.bytes(USERDATA, userData(element.comment()));
            }
            writer.close();
        }

        private byte[] userData(String text) {
            if (!comment.equals(text)) {
                comment = text;
                userData = ElementCodec.userData(text);
            }
            return userData;
        }
    }

    /// One record as nft writes it: type, length, and the text with a zero at its end.
    private static byte[] userData(String comment) {
        byte[] text = comment.getBytes(StandardCharsets.UTF_8);
        byte[] data = new byte[text.length + 3];
        data[0] = COMMENT;
        data[1] = (byte) (text.length + 1);
        System.arraycopy(text, 0, data, 2, text.length);
        return data;
    }

    /// The element that these attributes are; nothing if it is of no form that this program writes.
    static Optional<Element> decode(NetlinkAttributes attributes, SetShape set, Family family) {
        NetlinkAttributes data = attributes.nested(DATA);
        Bytes key = key(attributes);
        return content(data, set)
                .flatMap(
                        content -> comment(attributes).map(comment -> new Element(family, set, key, content, comment)));
    }

    static Bytes key(NetlinkAttributes attributes) {
        return VerdictCodec.value(attributes.nested(KEY));
    }

    private static Optional<Content> content(NetlinkAttributes data, SetShape set) {
        if (!set.isMap()) {
            return Optional.of(new Content.Nothing());
        }
        if (!set.isVerdictMap()) {
            return Optional.of(VerdictCodec.value(data));
        }
        NetlinkAttributes verdict = VerdictCodec.verdict(data);
        return VerdictCodec.code(verdict) == VerdictCodec.GOTO
                ? Optional.of(new Content.Goto(VerdictCodec.chain(verdict)))
                : Optional.empty();
    }

    private static Optional<String> comment(NetlinkAttributes attributes) {
        Optional<byte[]> data = attributes.find(USERDATA);
        if (data.isEmpty()) {
            return Optional.of("");
        }
        byte[] bytes = data.get();
        boolean ours = bytes.length > 3 && bytes[0] == COMMENT && (bytes[1] & 0xff) == bytes.length - 2;
        return ours
                ? Optional.of(new String(Arrays.copyOfRange(bytes, 2, bytes.length - 1), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /// How many packets the counter of an element has seen.
    static long packets(NetlinkAttributes attributes) {
        return attributes.nested(EXPRESSION).nested(ExpressionCodec.DATA).be64(COUNTER_PACKETS);
    }
}
