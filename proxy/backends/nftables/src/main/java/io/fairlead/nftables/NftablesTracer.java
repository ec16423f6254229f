package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Hook;
import io.fairlead.nftables.RegisterMachine.Outcome;
import io.fairlead.nftables.RegisterMachine.Surroundings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Runs packets through the chains of a Program as the kernel does, once for each way that chance may lead them.
final class NftablesTracer implements AffinityTracer {
    private final Program<NftablesEntry> program;
    private final List<Ip> ownAddresses;
    private final List<Chain> chains;

    /// A node with this program and these addresses of its own, loopback besides.
    NftablesTracer(Program<NftablesEntry> program, List<Ip> ownAddresses) {
        this.program = program;
        this.ownAddresses = ownAddresses;
        this.chains = program.entries()
                .filter(Chain.class::isInstance)
                .map(Chain.class::cast)
                .toList();
    }

    @Override
    public Trace trace(Packet packet) {
        Set<Trace> others = new HashSet<>();
        Set<Delivery> deliveries = new HashSet<>();
        Chances chances = new Chances();
        do {
            switch (run(machine(packet, 0, chances, new HashMap<>()))) {
                case Trace.Delivered(Set<Delivery> one) -> deliveries.addAll(one);
                case Trace other -> others.add(other);
            }
        } while (chances.next());
        if (deliveries.isEmpty() && others.size() == 1) {
            return others.iterator().next();
        }
        if (!others.isEmpty()) {
            throw new IllegalStateException("%s has no one end: %s, %s".formatted(packet, deliveries, others));
        }
        return Trace.Delivered.to(deliveries);
    }

    /// The mark of the packet when it leaves the node, if it came with `mark`.
    int markAfter(Packet packet, int mark) {
        RegisterMachine machine = machine(packet, mark, new Chances(), new HashMap<>());
        run(machine);
        return machine.mark();
    }

    @Override
    public Set<List<Trace>> traceAll(List<Packet> packets) {
        Set<List<Trace>> ways = new HashSet<>();
        Chances chances = new Chances();
        do {
            Map<Bytes, Bytes> learned = new HashMap<>();
            ways.add(packets.stream()
                    .map(packet -> run(machine(packet, 0, chances, learned)))
                    .toList());
        } while (chances.next());
        return ways;
    }

    private RegisterMachine machine(Packet packet, int mark, Chances chances, Map<Bytes, Bytes> learned) {
        return new RegisterMachine(packet, mark, new Surroundings(program, ownAddresses, chances, learned));
    }

    private Trace run(RegisterMachine machine) {
        boolean fromNode = machine.packet().entrance() == Packet.Entrance.NODE;
        Outcome outcome = enter(fromNode ? Hook.NAT_OUTPUT : Hook.NAT_PREROUTING, machine);
        return switch (outcome) {
            case Outcome.Accept _ -> Trace.Delivered.to(List.of(leave(machine, fromNode)));
            case Outcome.Refuse _ -> new Trace.Refused();
            case Outcome.Drop _ -> new Trace.Dropped();
            case Outcome.Next _ -> new Trace.Untouched();
            case Outcome.Break _, Outcome.Jump _, Outcome.Goto _, Outcome.Return _ ->
                throw new IllegalStateException("a chain ends so: " + outcome);
        };
    }

    /// What comes in for the node itself does not pass postrouting.
    private Delivery leave(RegisterMachine machine, boolean fromNode) {
        boolean passes =
                fromNode || !ownAddresses.contains(machine.destination().ip());
        boolean masqueraded = passes && enter(Hook.NAT_POSTROUTING, machine) instanceof Outcome.Accept;
        return new Delivery(machine.destination(), masqueraded);
    }

    private Outcome enter(Hook hook, RegisterMachine machine) {
        return find(chain -> chain.hook() == hook, machine)
                .map(chain -> walk(chain, machine))
                .orElseGet(Outcome.Next::new);
    }

    /// What becomes of the packet in a chain; `Next` if it comes out at the chain's end.
    private Outcome walk(Chain chain, RegisterMachine machine) {
        for (Rule rule : chain.rules()) {
            Outcome outcome = machine.run(rule);
            if (outcome instanceof Outcome.Jump(String other)) {
                outcome = walk(named(other, machine), machine);
            }
            if (outcome instanceof Outcome.Goto(String other)) {
                return walk(named(other, machine), machine);
            }
            if (outcome instanceof Outcome.Return) {
                return new Outcome.Next();
            }
            if (!(outcome instanceof Outcome.Next || outcome instanceof Outcome.Break)) {
                return outcome;
            }
        }
        return new Outcome.Next();
    }

    private Chain named(String name, RegisterMachine machine) {
        return find(chain -> chain.name().equals(name), machine)
                .orElseThrow(() -> new IllegalStateException("no chain " + name));
    }

    private Optional<Chain> find(Predicate<Chain> condition, RegisterMachine machine) {
        Family family = machine.packet().source().family();
        return chains.stream()
                .filter(chain -> chain.family() == family && condition.test(chain))
                .findFirst();
    }
}
