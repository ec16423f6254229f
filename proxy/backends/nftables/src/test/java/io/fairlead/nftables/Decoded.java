package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Table;
import io.fairlead.nftables.NftablesMessages.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The messages of a transaction taken apart again, without a kernel.
final class Decoded {
    private static final Map<Integer, String> NAMES = Map.of(
            0,
            "NEWTABLE",
            2,
            "DELTABLE",
            3,
            "NEWCHAIN",
            5,
            "DELCHAIN",
            6,
            "NEWRULE",
            8,
            "DELRULE",
            9,
            "NEWSET",
            11,
            "DELSET",
            12,
            "NEWSETELEM",
            14,
            "DELSETELEM");
    private static final int NFTABLES_TYPES = 10 << 8;
    private static final int HEADERS = 20;

    private Decoded() {}

    private record Message(int type, Family family, int size, NetlinkAttributes attributes) {
        String name() {
            return NAMES.getOrDefault(type - NFTABLES_TYPES, "type " + type);
        }
    }

    /// The kinds of the messages, in their order; neighbours of one kind count as one.
    static List<String> kinds(Transaction transaction) {
        List<String> kinds = new ArrayList<>();
        for (Message message : messages(transaction)) {
            if (kinds.isEmpty() || !kinds.getLast().equals(message.name())) {
                kinds.add(message.name());
            }
        }
        return kinds;
    }

    static List<Integer> sizes(Transaction transaction) {
        return messages(transaction).stream().map(Message::size).toList();
    }

    /// Where the element with this number begins in the first message.
    static int offsetOfElement(Transaction transaction, int number) {
        NetlinkAttributes attributes = messages(transaction).getFirst().attributes();
        int at = HEADERS;
        for (NetlinkAttributes.Attribute attribute : attributes.all()) {
            at += 4;
            if (attribute.type() == ElementCodec.ELEMENTS) {
                return at
                        + attribute.nested().all().stream()
                                .limit(number)
                                .mapToInt(element -> 4 + padded(element.value().length))
                                .sum();
            }
            at += padded(attribute.value().length);
        }
        throw new AssertionError("no elements");
    }

    /// What the messages create.
    static List<NftablesEntry> entries(Transaction transaction) {
        Map<Object, NftablesEntry> entries = new LinkedHashMap<>();
        for (Message message : messages(transaction)) {
            created(message, entries).forEach(entry -> entries.put(entry.key(), entry));
        }
        return List.copyOf(entries.values());
    }

    private static Stream<NftablesEntry> created(Message message, Map<Object, NftablesEntry> known) {
        Family family = message.family();
        NetlinkAttributes attributes = message.attributes();
        return switch (message.name()) {
            case "NEWTABLE" -> Stream.of(new Table(family, true));
            case "NEWSET" ->
                Stream.of(new NftablesEntry.NamedSet(
                        family, new SetCodec(family).decode(attributes).orElseThrow(), true));
            case "NEWCHAIN" ->
                Stream.of(new ChainCodec(family).decode(attributes).orElseThrow());
            case "NEWRULE" -> Stream.of(withRule(attributes, family, known));
            case "NEWSETELEM" -> elements(attributes, family);
            default -> throw new AssertionError(message.name());
        };
    }

    private static Chain withRule(NetlinkAttributes rule, Family family, Map<Object, NftablesEntry> known) {
        Chain chain = known.values().stream()
                .filter(entry -> entry instanceof Chain candidate
                        && candidate.family() == family
                        && candidate.name().equals(ChainCodec.chainOfRule(rule)))
                .map(Chain.class::cast)
                .findFirst()
                .orElseThrow();
        List<Rule> rules = new ArrayList<>(chain.rules());
        rules.add(new ChainCodec(family).decodeRule(rule).orElseThrow());
        return chain.with(rules);
    }

    private static Stream<NftablesEntry> elements(NetlinkAttributes attributes, Family family) {
        SetShape set = SetShape.find(attributes.text(ElementCodec.SET)).orElseThrow();
        return attributes.nested(ElementCodec.ELEMENTS).all().stream()
                .map(element ->
                        ElementCodec.decode(element.nested(), set, family).orElseThrow());
    }

    /// All messages but the marks at both ends.
    private static List<Message> messages(Transaction transaction) {
        byte[] bytes = transaction.batch().toBytes();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        List<Message> messages = new ArrayList<>();
        int size;
        for (int at = 0; at < bytes.length; at += size) {
            size = buffer.getInt(at);
            Family family = buffer.get(at + 16) == 10 ? Family.IPV6 : Family.IPV4;
            NetlinkAttributes attributes = NetlinkAttributes.of(bytes, at + HEADERS, at + size);
            messages.add(new Message(buffer.getShort(at + 4), family, size, attributes));
        }
        return messages.subList(1, messages.size() - 1);
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }
}
