package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.ElementKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One packet on its way through rules: the registers of nf_tables, and what the rules have made of the packet.
final class RegisterMachine {
    private static final int DNAT = 1 << 5;

    private final Packet packet;
    private final Program<NftablesEntry> program;
    private final List<Ip> ownAddresses;
    private final Chances chances;
    private final Map<Bytes, Bytes> learned;
    private final byte[] registers = new byte[16 * 4];

    private IpPort destination;
    private int mark;

    RegisterMachine(Packet packet, int mark, Surroundings surroundings) {
        this.packet = packet;
        this.mark = mark;
        this.destination = packet.destination();
        this.program = surroundings.program();
        this.ownAddresses = surroundings.ownAddresses();
        this.chances = surroundings.chances();
        this.learned = surroundings.learned();
    }

    /// What a packet meets: the sets, the addresses of the node, chance, and what is remembered of clients.
    record Surroundings(
            Program<NftablesEntry> program, List<Ip> ownAddresses, Chances chances, Map<Bytes, Bytes> learned) {}

    /// What a rule, or a step of it, says about the packet.
    sealed interface Outcome {
        /// The next step.
        record Next() implements Outcome {}

        /// The next rule: this one is not about the packet.
        record Break() implements Outcome {}

        record Accept() implements Outcome {}

        record Refuse() implements Outcome {}

        record Drop() implements Outcome {}

        record Jump(String chain) implements Outcome {}

        record Goto(String chain) implements Outcome {}

        record Return() implements Outcome {}
    }

    Packet packet() {
        return packet;
    }

    IpPort destination() {
        return destination;
    }

    int mark() {
        return mark;
    }

    Outcome run(Rule rule) {
        for (Expression step : rule.steps()) {
            Outcome outcome = run(step);
            if (!(outcome instanceof Outcome.Next)) {
                return outcome;
            }
        }
        return new Outcome.Next();
    }

    private Outcome run(Expression step) {
        return switch (step) {
            case Expression.Load(PacketField field, int into) -> store(into, load(field));
            case Expression.Choose(int count, int first, var _, int into) ->
                store(into, Bytes.number(first + chances.choose(count)));
            case Expression.Remember remember -> remember(remember);
            case Expression.Count _ -> new Outcome.Next();
            case Expression.SetMark(int from) -> {
                mark = read(from, 4).number();
                yield new Outcome.Next();
            }
            case Expression.Mask(int register, Bytes mask, Bytes flip) ->
                store(register, read(register, mask.length()).maskedWith(mask, flip));
            case Expression.Compare(int register, boolean equal, Bytes value) ->
                nextIf(read(register, value.length()).equals(value) == equal);
            case Expression.Lookup lookup -> lookUp(lookup);
            case Expression.Dnat(int address, int port) -> dnat(address, port);
            case Expression.Masquerade _ -> new Outcome.Accept();
            case Expression.RejectWithReset _, Expression.RejectUnreachable _ -> new Outcome.Refuse();
            case Expression.Jump(String chain) -> new Outcome.Jump(chain);
            case Expression.Goto(String chain) -> new Outcome.Goto(chain);
            case Expression.Return _ -> new Outcome.Return();
            case Expression.Drop _ -> new Outcome.Drop();
        };
    }

    private Bytes load(PacketField field) {
        return switch (field) {
            case SOURCE -> Bytes.NONE.and(packet.source());
            case DESTINATION -> Bytes.NONE.and(destination.ip());
            case PROTOCOL -> Bytes.NONE.and(packet.protocol());
            case PORT -> Bytes.NONE.andPort(destination.port());
            case MARK -> Bytes.number(mark);
            case SOURCE_TYPE -> Bytes.number(isOwn(packet.source()) ? Expression.LOCAL : 0);
            case INTERFACE -> interfaceName();
            case DESTINATION_TYPE -> Bytes.number(isOwn(destination.ip()) ? Expression.LOCAL : 0);
            case ORIGINAL_DESTINATION -> Bytes.NONE.and(packet.destination().ip());
            case ORIGINAL_PORT -> Bytes.NONE.andPort(packet.destination().port());
            case STATUS -> Bytes.number(destination.equals(packet.destination()) ? 0 : DNAT);
            case INDEX -> throw new IllegalStateException("an index is chosen, not loaded");
        };
    }

    private Bytes interfaceName() {
        byte[] name = packet.interfaceName().getBytes(StandardCharsets.US_ASCII);
        return Bytes.of(Arrays.copyOf(name, PacketField.INTERFACE_BYTES));
    }

    private Outcome remember(Expression.Remember step) {
        Bytes key = read(step.key(), SetShape.length(SetShape.AFFINITY.key(), family()));
        switch (step.note()) {
            case ADD, UPDATE -> learned.putIfAbsent(key, read(step.value(), 4));
            case DELETE -> learned.remove(key);
        }
        return new Outcome.Next();
    }

    private boolean isOwn(Ip ip) {
        boolean loopback = ip.toString().startsWith("127.") || ip.toString().equals("::1");
        return loopback || ownAddresses.contains(ip);
    }

    private Outcome lookUp(Expression.Lookup step) {
        Bytes key = read(step.key(), SetShape.length(step.set().key(), family()));
        if (step.set().isLearned()) {
            return learned.containsKey(key) ? store(step.into(), learned.get(key)) : new Outcome.Break();
        }
        Optional<NftablesEntry> found = program.find(new ElementKey(family(), step.set(), key));
        if (found.isEmpty() || !(found.get() instanceof Element element)) {
            return new Outcome.Break();
        }
        return switch (element.content()) {
            case Content.Nothing _ -> new Outcome.Next();
            case Bytes values -> store(step.into(), values);
            case Content.Goto(String chain) -> new Outcome.Goto(chain);
        };
    }

    private Outcome dnat(int address, int port) {
        Ip ip = read(address, family().bits() / 8).ip();
        destination = new IpPort(ip, read(port, 4).port());
        return new Outcome.Accept();
    }

    private Family family() {
        return packet.source().family();
    }

    private Bytes read(int register, int length) {
        int at = (register - FIRST_REGISTER) * 4;
        return Bytes.of(Arrays.copyOfRange(registers, at, at + length));
    }

    private Outcome store(int register, Bytes value) {
        System.arraycopy(value.toArray(), 0, registers, (register - FIRST_REGISTER) * 4, value.length());
        return new Outcome.Next();
    }

    private static Outcome nextIf(boolean matches) {
        return matches ? new Outcome.Next() : new Outcome.Break();
    }
}
