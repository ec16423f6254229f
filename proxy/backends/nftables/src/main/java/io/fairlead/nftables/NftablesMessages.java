package io.fairlead.nftables;

import static io.fairlead.kernel.NetlinkWriter.APPEND;
import static io.fairlead.kernel.NetlinkWriter.CREATE;
import static io.fairlead.kernel.NetlinkWriter.EXCLUSIVE;

import io.fairlead.forwarding.Patch;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterRefusal;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.NamedSet;
import io.fairlead.nftables.NftablesEntry.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// A patch as the messages of one transaction, in an order that the kernel can take. Pure.
///
/// What others refer to comes first when it is made, and last when it is removed. Rules come before elements: the
/// kernel walks a map when a rule in a new chain is bound to it, and then it is still empty.
final class NftablesMessages {
    static final int NFTABLES = 10;

    static final int NEWTABLE = 0;
    static final int DELTABLE = 2;
    private static final int NEWCHAIN = 3;
    private static final int DELCHAIN = 5;
    private static final int NEWRULE = 6;
    private static final int DELRULE = 8;
    private static final int NEWSET = 9;
    private static final int DELSET = 11;
    private static final int NEWSETELEM = 12;
    private static final int DELSETELEM = 14;

    static final int TABLE_NAME = 1;
    static final int TABLE_FLAGS = 2;

    /// A list of elements may have 65,535 bytes; no single element has the 1,535 that are left.
    private static final int LIST_LIMIT = 64_000;

    /// The bytes before the attributes of a message: struct nlmsghdr and struct nfgenmsg.
    private static final int HEADERS = 16 + NetfilterBatch.HEADER;

    private final String table;
    private final int tableFlags;
    private final NetfilterBatch batch = new NetfilterBatch(NFTABLES);
    private final Map<Integer, Subject> subjects = new LinkedHashMap<>();

    NftablesMessages(String table, int tableFlags) {
        this.table = table;
        this.tableFlags = tableFlags;
    }

    /// What a message is about.
    private sealed interface Subject {
        /// The entry that stands at this place of the message.
        NftablesEntry at(int offset);

        record One(NftablesEntry entry) implements Subject {
            @Override
            public NftablesEntry at(int offset) {
                return entry;
            }
        }

        /// Elements, one or more, written by `encoder`; their list begins at `start`.
        record Several(List<Element> elements, int start, BiConsumer<Element, NetlinkWriter> encoder)
                implements Subject {
            /// They are written once more: where each of them begins is asked for only when the kernel refuses one.
            @Override
            public NftablesEntry at(int offset) {
                NetlinkWriter again = new NetlinkWriter().message(0, 0).open(ElementCodec.ELEMENTS);
                Element found = elements.getFirst();
                for (Element element : elements) {
                    if (start + again.openBytes() > offset) {
                        break;
                    }
                    found = element;
                    encoder.accept(element, again);
                }
                return found;
            }
        }
    }

    /// One batch, and who is in which message of it.
    record Transaction(NetfilterBatch batch, Map<Integer, Subject> subjects) {
        /// The entry that the kernel did not take, and why.
        String explain(NetfilterRefusal refusal) {
            Subject about = subjects.get(refusal.sequence());
            return about == null
                    ? "the transaction: " + refusal
                    : "%s: %s".formatted(about.at(refusal.offset()), refusal);
        }
    }

    Transaction encode(Patch<NftablesEntry> patch) {
        Sorted added = Sorted.of(patch.added());
        Sorted removed = Sorted.of(patch.removed());
        Sorted before =
                Sorted.of(patch.changed().stream().map(Patch.Change::before).toList());
        Sorted after =
                Sorted.of(patch.changed().stream().map(Patch.Change::after).toList());
        patch.changed().forEach(change -> replaceTable(change.before(), change.after()));
        before.sets.forEach(this::empty);
        added.tables.forEach(this::create);
        elements(DELSETELEM, 0, both(removed.elements, before.elements), ElementCodec::encodeKey);
        both(removed.chains, before.chains).forEach(this::flush);
        removed.chains.forEach(this::delete);
        removed.sets.forEach(this::delete);
        added.sets.forEach(this::create);
        added.chains.forEach(this::create);
        both(added.chains, after.chains).forEach(this::fill);
        elements(
                NEWSETELEM,
                CREATE | EXCLUSIVE,
                both(added.elements, after.elements),
                new ElementCodec.Encoder()::encode);
        removed.tables.forEach(this::delete);
        return new Transaction(batch, subjects);
    }

    /// Entries by what they are: a large patch is looked through once.
    private record Sorted(List<Table> tables, List<NamedSet> sets, List<Chain> chains, List<Element> elements) {
        static Sorted of(List<NftablesEntry> entries) {
            Sorted sorted = new Sorted(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (NftablesEntry entry : entries) {
                if (entry instanceof Element element) { // nearly all; a switch over types is slow when a program starts
                    sorted.elements.add(element);
                } else {
                    sorted.add(entry);
                }
            }
            return sorted;
        }

        private void add(NftablesEntry entry) {
            switch (entry) {
                case Element element -> elements.add(element);
                case Chain chain -> chains.add(chain);
                case NamedSet set -> sets.add(set);
                case Table table -> tables.add(table);
            }
        }
    }

    private static <T> List<T> both(List<T> some, List<T> others) {
        if (others.isEmpty()) {
            return some;
        }
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /// A table of unknown content goes with all that is in it.
    private void replaceTable(NftablesEntry before, NftablesEntry after) {
        if (before instanceof Table old && after instanceof Table young) {
            delete(old);
            create(young);
        }
    }

    /// What is in a set that was not read goes, unseen.
    private void empty(NamedSet set) {
        message(set, DELSETELEM, 0)
                .text(ElementCodec.TABLE, table)
                .text(ElementCodec.SET, set.shape().text());
    }

    private void create(Table entry) {
        message(entry, NEWTABLE, CREATE | EXCLUSIVE).text(TABLE_NAME, table).be32(TABLE_FLAGS, tableFlags);
    }

    private void delete(Table entry) {
        message(entry, DELTABLE, 0).text(TABLE_NAME, table);
    }

    private void create(NamedSet entry) {
        new SetCodec(entry.family()).encode(entry.shape(), table, message(entry, NEWSET, CREATE | EXCLUSIVE));
    }

    private void delete(NamedSet entry) {
        SetCodec.encodeName(entry.shape(), table, message(entry, DELSET, 0));
    }

    private void create(Chain entry) {
        ChainCodec.encode(entry, table, message(entry, NEWCHAIN, CREATE | EXCLUSIVE));
    }

    private void delete(Chain entry) {
        ChainCodec.encodeName(entry, table, message(entry, DELCHAIN, 0));
    }

    private void flush(Chain entry) {
        ChainCodec.encodeRules(entry, table, message(entry, DELRULE, 0));
    }

    private void fill(Chain entry) {
        ChainCodec codec = new ChainCodec(entry.family());
        for (Rule rule : entry.rules()) {
            NetlinkWriter writer = message(entry, NEWRULE, CREATE | APPEND);
            ChainCodec.encodeRules(entry, table, writer);
            codec.encode(rule, writer);
        }
    }

    private NetlinkWriter message(NftablesEntry entry, int type, int flags) {
        NetlinkWriter writer = batch.message(type, flags, Layout.number(entry.family()));
        subjects.put(batch.sequence(), new Subject.One(entry));
        return writer;
    }

    private void elements(int type, int flags, List<Element> all, BiConsumer<Element, NetlinkWriter> encoder) {
        Element.bySet(all)
                .forEach((family, sets) -> sets.forEach((set, elements) -> {
                    int done = 0;
                    while (done < elements.size()) {
                        NetlinkWriter writer = batch.message(type, flags, Layout.number(family));
                        done += list(set, elements.subList(done, elements.size()), writer, encoder);
                    }
                }));
    }

    /// Writes as many elements as one message takes; gives their number.
    private int list(
            SetShape set, List<Element> elements, NetlinkWriter writer, BiConsumer<Element, NetlinkWriter> encoder) {
        writer.text(ElementCodec.TABLE, table).text(ElementCodec.SET, set.text());
        int start = HEADERS + attributeLength(table) + attributeLength(set.text());
        writer.open(ElementCodec.ELEMENTS);
        int written = 0;
        while (written < elements.size() && writer.openBytes() <= LIST_LIMIT) {
            encoder.accept(elements.get(written), writer);
            written++;
        }
        writer.close();
        subjects.put(batch.sequence(), new Subject.Several(elements.subList(0, written), start, encoder));
        return written;
    }

    /// The bytes of a text attribute: its header, the text, a zero, padding.
    private static int attributeLength(String text) {
        return (4 + text.getBytes(StandardCharsets.UTF_8).length + 1 + 3) & ~3;
    }
}
