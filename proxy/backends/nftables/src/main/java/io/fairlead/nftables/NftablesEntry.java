package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.TABLE;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Entry;
import io.fairlead.kernel.NetlinkWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What this backend owns in the kernel; its text is that of `nft`.
public sealed interface NftablesEntry extends Entry {
    Family family();

    /// Where all else of a family lives.
    ///
    /// It is not `known` if something was found in it that this program never writes: of another version, or
    /// another hand. Then the reader tells nothing else of it, and the applier replaces it as a whole.
    record Table(Family family, boolean known) implements NftablesEntry {
        @Override
        public Object key() {
            return keyOf(family, "");
        }

        @Override
        public String toString() {
            return "table " + keyOf(family, "") + (known ? "" : " of unknown content");
        }
    }

    /// A set or map as it is declared, without its elements.
    ///
    /// It is not `known` if it is there, and what is in it was not read: then it is emptied before it is filled.
    record NamedSet(Family family, SetShape shape, boolean known) implements NftablesEntry {
        @Override
        public Object key() {
            return keyOf(family, "map " + shape.text());
        }

        @Override
        public String toString() {
            List<String> parts = new ArrayList<>();
            parts.add("typeof " + text(shape.key()) + value() + ";");
            if (shape.isCounted()) {
                parts.add("counter;");
            }
            if (shape.isLearned()) {
                parts.add("flags dynamic,timeout;");
            }
            return "%s %s %s { %s }%s"
                    .formatted(
                            shape.isMap() ? "map" : "set",
                            keyOf(family, ""),
                            shape.text(),
                            String.join(" ", parts),
                            known ? "" : " of unknown content");
        }

        private String value() {
            if (shape.isVerdictMap()) {
                return " : verdict";
            }
            return shape.isMap() ? " : " + text(shape.data()) : "";
        }

        private String text(List<PacketField> fields) {
            return fields.stream().map(field -> field.text(family)).collect(Collectors.joining(" . "));
        }
    }

    /// A chain with its rules.
    record Chain(Family family, String name, Hook hook, List<Rule> rules) implements NftablesEntry {
        public Chain {
            rules = List.copyOf(rules);
        }

        Chain with(List<Rule> rules) {
            return new Chain(family, name, hook, rules);
        }

        @Override
        public Object key() {
            // A chain does not move from one hook to another: it is made anew.
            return keyOf(family, "chain " + name + (hook == Hook.NONE ? "" : " " + hook.name()));
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("chain %s %s {\n".formatted(keyOf(family, ""), name));
            if (hook != Hook.NONE) {
                text.append('\t').append(hook).append('\n');
            }
            rules.forEach(rule ->
                    text.append('\t').append(RuleText.format(rule, family)).append('\n'));
            return text.append('}').toString();
        }
    }

    /// Where in the kernel a chain begins.
    enum Hook {
        /// Nowhere: other chains lead to it.
        NONE("", 0, "", 0),
        NAT_PREROUTING("nat", 0, "prerouting", -100),
        NAT_INPUT("nat", 1, "input", 100),
        NAT_OUTPUT("nat", 3, "output", -100),
        NAT_POSTROUTING("nat", 4, "postrouting", 100);

        private final String type;
        private final int number;
        private final String place;
        private final int priority;

        Hook(String type, int number, String place, int priority) {
            this.type = type;
            this.number = number;
            this.place = place;
            this.priority = priority;
        }

        static Optional<Hook> find(String type, int number, int priority) {
            return Arrays.stream(values())
                    .filter(hook -> hook.type.equals(type) && hook.number == number && hook.priority == priority)
                    .findFirst();
        }

        String type() {
            return type;
        }

        int number() {
            return number;
        }

        int priority() {
            return priority;
        }

        @Override
        public String toString() {
            return this == NONE ? "" : "type %s hook %s priority %d; policy accept;".formatted(type, place, priority);
        }
    }

    /// An element of a set or map; the comment names the Service it is there for.
    record Element(ElementKey key, Content content, String comment) implements NftablesEntry {
        Element(Family family, SetShape set, Bytes match, Content content, String comment) {
            this(new ElementKey(family, set, match), content, comment);
        }

        /// Those of the entries that are elements, by where they are.
        static Map<Family, Map<SetShape, List<Element>>> bySet(List<? extends NftablesEntry> entries) {
            Map<Family, Map<SetShape, List<Element>>> sets = new EnumMap<>(Family.class);
            for (NftablesEntry entry : entries) {
                if (entry instanceof Element element) {
                    sets.computeIfAbsent(element.family(), _ -> new EnumMap<>(SetShape.class))
                            .computeIfAbsent(element.set(), _ -> new ArrayList<>())
                            .add(element);
                }
            }
            return sets;
        }

        @Override
        public Family family() {
            return key.family;
        }

        /// Written out, as that of the key is.
        @Override
        public int hashCode() {
            return key.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Element that
                    && key.equals(that.key)
                    && content.equals(that.content)
                    && comment.equals(that.comment);
        }

        SetShape set() {
            return key.set;
        }

        Bytes match() {
            return key.match;
        }

        @Override
        public String toString() {
            return "element %s %s { %s%s%s }"
                    .formatted(
                            keyOf(family(), ""),
                            set().text(),
                            text(set().key(), match(), family()),
                            comment.isEmpty() ? "" : " comment \"%s\"".formatted(comment),
                            contentText());
        }

        private String contentText() {
            return switch (content) {
                case Content.Nothing _ -> "";
                case Bytes values -> " : " + text(set().data(), values, family());
                case Content.Goto(String chain) -> " : goto " + chain;
            };
        }
    }

    /// What tells an element from all others.
    record ElementKey(Family family, SetShape set, Bytes match) {
        // Written out: a large cluster has a hundred thousand, and what a record has by itself is slow until it is
        // compiled.
        @Override
        public int hashCode() {
            return 31 * (31 * match.hashCode() + set.hashCode()) + family.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ElementKey that
                    && set == that.set
                    && family == that.family
                    && match.equals(that.match);
        }

        @Override
        public String toString() {
            return keyOf(family, "map " + set.text() + " element " + text(set.key(), match, family));
        }
    }

    /// What an element holds besides its key: nothing in a plain set, values in a map, or where to go on.
    sealed interface Content permits Bytes, Content.Nothing, Content.Goto {
        /// Writes it as an attribute of this type, if there is anything to write.
        void encode(int type, NetlinkWriter writer);

        record Nothing() implements Content {
            @Override
            public void encode(int type, NetlinkWriter writer) {
                // a plain set has keys alone
            }
        }

        record Goto(String chain) implements Content {
            @Override
            public void encode(int type, NetlinkWriter writer) {
                VerdictCodec.verdict(type, VerdictCodec.GOTO, chain, writer);
            }
        }
    }

    private static String keyOf(Family family, String rest) {
        String table = Layout.name(family) + " " + TABLE;
        return rest.isEmpty() ? table : table + " " + rest;
    }

    private static String text(List<PacketField> fields, Bytes whole, Family family) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (PacketField field : fields) {
            text.append(at > 0 ? " . " : "").append(field.format(whole.slice(at, field.bytes(family))));
            at += field.registers(family) * 4;
        }
        return text.toString();
    }
}
