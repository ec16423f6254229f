package io.fairlead.nftables;

import static io.fairlead.nftables.NftablesMessages.NFTABLES;

import io.fairlead.api.Family;
import io.fairlead.kernel.Errno;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkAttributes.Attribute;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkWriter;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.NamedSet;
import io.fairlead.nftables.NftablesEntry.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads what one family's table holds.
///
/// Only its owner changes the table, and that is who reads; so the parts fit together though each is read alone.
final class TableReader {
    private static final int GETTABLE = 1;
    private static final int GETCHAIN = 4;
    private static final int GETRULE = 7;
    private static final int GETSET = 10;
    private static final int GETSETELEM = 13;
    private static final int SET_TABLE = 1;
    private static final int ATTEMPTS = 20;

    private final NetfilterSocket socket;
    private final Family family;

    TableReader(NetfilterSocket socket, Family family) {
        this.socket = socket;
        this.family = family;
    }

    /// Something was found that this program never writes.
    private static final class ForeignException extends RuntimeException {}

    Family family() {
        return family;
    }

    boolean exists() {
        return findTable().isPresent();
    }

    /// Whether it outlived the process that owned it.
    boolean isOrphaned() {
        return findTable()
                .filter(table -> table.be32(NftablesMessages.TABLE_FLAGS) == SupportReader.PERSIST)
                .isPresent();
    }

    private Optional<NetlinkAttributes> findTable() {
        return dump(request(GETTABLE))
                .filter(table -> table.text(NftablesMessages.TABLE_NAME).equals(Layout.TABLE))
                .findFirst();
    }

    /// The table and all that is in it, if it has these flags and nothing unknown inside; `large` sets with their
    /// elements, or as they are declared.
    List<NftablesEntry> entries(int wantedFlags, boolean large) {
        Optional<NetlinkAttributes> table = findTable();
        if (table.isEmpty()) {
            return List.of();
        }
        if (table.get().be32(NftablesMessages.TABLE_FLAGS) != wantedFlags) {
            return List.of(new Table(family, false));
        }
        try {
            return content(large);
        } catch (ForeignException _) {
            return List.of(new Table(family, false));
        }
    }

    private List<NftablesEntry> content(boolean large) {
        List<NftablesEntry> entries = new ArrayList<>();
        entries.add(new Table(family, true));
        entries.addAll(chains());
        SetCodec codec = new SetCodec(family);
        List<SetShape> sets = dump(request(GETSET).text(SET_TABLE, Layout.TABLE))
                .map(set -> codec.decode(set).orElseThrow(ForeignException::new))
                .toList();
        for (SetShape set : sets) {
            // What the kernel has learned is not ours to keep in order; the verdict map must fit the chains.
            boolean known = large || set.isLearned() || set.isVerdictMap();
            entries.add(new NamedSet(family, set, known));
            if (known && !set.isLearned()) {
                attributesOfElements(set).stream()
                        .map(attributes -> element(attributes, set))
                        .forEach(entries::add);
            }
        }
        return entries;
    }

    private List<Chain> chains() {
        ChainCodec codec = new ChainCodec(family);
        Map<String, List<Rule>> rules = new LinkedHashMap<>();
        dump(request(GETRULE).text(ChainCodec.RULE_TABLE, Layout.TABLE))
                .forEach(rule -> rules.computeIfAbsent(ChainCodec.chainOfRule(rule), _ -> new ArrayList<>())
                        .add(codec.decodeRule(rule).orElseThrow(ForeignException::new)));
        return dump(request(GETCHAIN))
                .filter(chain -> ChainCodec.isIn(Layout.TABLE, chain))
                .map(chain -> codec.decode(chain).orElseThrow(ForeignException::new))
                .map(chain -> chain.with(rules.getOrDefault(chain.name(), List.of())))
                .toList();
    }

    private Element element(NetlinkAttributes attributes, SetShape set) {
        return ElementCodec.decode(attributes, set, family).orElseThrow(ForeignException::new);
    }

    /// The attributes of each element of a set.
    ///
    /// The kernel walks the hash table in pieces, by position. If it grows between two of them, as it does for a
    /// while after many elements came, it lists some elements twice and as many not at all: then we read it again.
    List<NetlinkAttributes> attributesOfElements(SetShape set) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<NetlinkAttributes> elements = readElements(set);
            long different = elements.stream().map(ElementCodec::key).distinct().count();
            if (different == elements.size()) {
                return elements;
            }
        }
        throw new KernelException("netlink", Errno.EAGAIN, "dump of %s, in motion each time".formatted(set.text()));
    }

    private List<NetlinkAttributes> readElements(SetShape set) {
        NetlinkWriter request =
                request(GETSETELEM).text(ElementCodec.TABLE, Layout.TABLE).text(ElementCodec.SET, set.text());
        // A change of any table makes a dump "interrupted"; elements of ours it leaves alone. To insist would take
        // long where there are many, and never end where others change theirs all the time.
        return socket.dumpOnce(request).stream().flatMap(TableReader::elements).toList();
    }

    /// The attributes of these elements of a set.
    List<NetlinkAttributes> attributesOf(SetShape set, List<Element> elements) {
        NetlinkWriter request = NetfilterBatch.request(
                        NFTABLES, GETSETELEM, NetlinkWriter.REQUEST, Layout.number(family))
                .text(ElementCodec.TABLE, Layout.TABLE)
                .text(ElementCodec.SET, set.text());
        request.open(ElementCodec.ELEMENTS);
        elements.forEach(element -> ElementCodec.encodeKey(element, request));
        request.close();
        return socket.ask(request).stream().flatMap(TableReader::elements).toList();
    }

    private static Stream<NetlinkAttributes> elements(NetlinkMessage message) {
        return message.attributes(NetfilterBatch.HEADER).nested(ElementCodec.ELEMENTS).all().stream()
                .map(Attribute::nested);
    }

    private NetlinkWriter request(int type) {
        return NetfilterBatch.request(NFTABLES, type, NetlinkWriter.DUMP, Layout.number(family));
    }

    private Stream<NetlinkAttributes> dump(NetlinkWriter request) {
        return socket.dump(request).stream().map(message -> message.attributes(NetfilterBatch.HEADER));
    }
}
