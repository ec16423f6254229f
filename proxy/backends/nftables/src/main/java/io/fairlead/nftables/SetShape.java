package io.fairlead.nftables;

import static io.fairlead.nftables.PacketField.DESTINATION;
import static io.fairlead.nftables.PacketField.INDEX;
import static io.fairlead.nftables.PacketField.MARK;
import static io.fairlead.nftables.PacketField.PORT;
import static io.fairlead.nftables.PacketField.PROTOCOL;
import static io.fairlead.nftables.PacketField.SOURCE;

import io.fairlead.api.Family;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The sets and maps, each once in the table of each family: all that is known of Services is an element of one.
@SuppressWarnings("ImmutableEnumChecker") // its lists are those of List.of
enum SetShape {
    /// The plan by which an address and port leads on: plain data. A map to verdicts would make the kernel walk all its
    /// elements at each change.
    SERVICE(List.of(DESTINATION, PROTOCOL, PORT), Content.COUNTED, MARK),
    /// The plan for what begins on this node, where that is another.
    INSIDE(List.of(DESTINATION, PROTOCOL, PORT), Content.COUNTED, MARK),
    NODEPORT(List.of(PROTOCOL, PORT), Content.COUNTED, MARK),
    INSIDE_NODEPORT(List.of(PROTOCOL, PORT), Content.COUNTED, MARK),
    /// The chain of a plan; there are few of them.
    PLAN(List.of(MARK), Content.VERDICT),
    ENDPOINT(List.of(DESTINATION, PROTOCOL, PORT, INDEX), Content.PLAIN, DESTINATION, PORT),
    NODEPORT_ENDPOINT(List.of(PROTOCOL, PORT, INDEX), Content.PLAIN, DESTINATION, PORT),
    /// Where connections were to go, where they went instead, and how many: filled by the kernel. A counter takes
    /// memory for each processor, and most endpoints of a large cluster are never called from this node.
    CONNECTION(List.of(DESTINATION, PROTOCOL, PORT, DESTINATION, PORT), Content.TALLY),

    /// Under which number clients of a port are remembered; the frontends of a port share it.
    STICKY(List.of(DESTINATION, PROTOCOL, PORT), Content.PLAIN, MARK),
    NODEPORT_STICKY(List.of(PROTOCOL, PORT), Content.PLAIN, MARK),
    /// Which endpoint a client got, by the endpoint's number: filled by the kernel.
    AFFINITY(List.of(SOURCE, MARK), Content.LEARNED, MARK),
    /// The number of an endpoint to choose; it is made from the endpoint's address, so it outlasts all changes.
    SLOT(List.of(DESTINATION, PROTOCOL, PORT, INDEX), Content.PLAIN, MARK),
    NODEPORT_SLOT(List.of(PROTOCOL, PORT, INDEX), Content.PLAIN, MARK),
    /// Whether an endpoint of this number is there, and where.
    BACKEND(List.of(DESTINATION, PROTOCOL, PORT, MARK), Content.PLAIN, DESTINATION, PORT),
    NODEPORT_BACKEND(List.of(PROTOCOL, PORT, MARK), Content.PLAIN, DESTINATION, PORT),
    /// The same for what begins on this node, where that has other endpoints: all share one memory, and who comes from
    /// outside finds there no endpoint that is not for it.
    INSIDE_BACKEND(List.of(DESTINATION, PROTOCOL, PORT, MARK), Content.PLAIN, DESTINATION, PORT),
    INSIDE_NODEPORT_BACKEND(List.of(PROTOCOL, PORT, MARK), Content.PLAIN, DESTINATION, PORT),

    /// Frontends that are not for every client, and for whom they are: a network, and the length of its prefix.
    GUARDED(List.of(DESTINATION, PROTOCOL, PORT), Content.PLAIN),
    ALLOWED(List.of(DESTINATION, PROTOCOL, PORT, SOURCE, INDEX), Content.PLAIN),
    /// All ClusterIPs: a port of them that leads nowhere is refused.
    CLUSTER_IP(List.of(DESTINATION), Content.PLAIN),
    /// A pod of this node and itself: connections that would come back to the pod with its own address as source.
    HAIRPIN(List.of(SOURCE, DESTINATION), Content.PLAIN);

    private enum Content {
        PLAIN,
        /// Each element counts the look-ups that found it: new connections, for a nat chain sees no others.
        COUNTED,
        /// The rules put it there, and it goes by itself.
        LEARNED,
        /// Learned, and each element counts how often.
        TALLY,
        VERDICT
    }

    private final String text;
    private final List<PacketField> key;
    private final Content content;
    private final List<PacketField> data;

    SetShape(List<PacketField> key, Content content, PacketField... data) {
        this.text = name().toLowerCase(Locale.ROOT);
        this.key = key;
        this.content = content;
        this.data = List.of(data);
    }

    static Optional<SetShape> find(String name) {
        return Arrays.stream(values())
                .filter(shape -> shape.text().equals(name))
                .findFirst();
    }

    /// Its name in the kernel.
    String text() {
        return text;
    }

    List<PacketField> key() {
        return key;
    }

    /// What it maps to; none for a plain set, and for a map to verdicts.
    List<PacketField> data() {
        return data;
    }

    boolean isMap() {
        return isVerdictMap() || !data.isEmpty();
    }

    boolean isVerdictMap() {
        return content == Content.VERDICT;
    }

    boolean isCounted() {
        return content == Content.COUNTED || content == Content.TALLY;
    }

    boolean isLearned() {
        return content == Content.LEARNED || content == Content.TALLY;
    }

    /// What `field` is in a key or content that is made of `fields`.
    static Bytes part(List<PacketField> fields, PacketField field, Bytes whole, Family family) {
        int at = 0;
        for (PacketField before : fields.subList(0, fields.indexOf(field))) {
            at += before.registers(family) * 4;
        }
        return whole.slice(at, field.bytes(family));
    }

    static int length(List<PacketField> fields, Family family) {
        return fields.stream().mapToInt(field -> field.registers(family) * 4).sum();
    }

    /// How many registers its key takes.
    int keyRegisters(Family family) {
        return length(key, family) / 4;
    }
}
