package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;
import static io.fairlead.nftables.Layout.LAST_REGISTER;
import static io.fairlead.nftables.Steps.throughMark;

import io.fairlead.api.Family;
import io.fairlead.nftables.Expression.Choose;
import io.fairlead.nftables.Expression.Dnat;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Lookup;
import io.fairlead.nftables.Expression.Note;
import io.fairlead.nftables.Expression.Remember;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Hook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// How an endpoint is chosen: among how many, and for how long a client keeps it; 0 seconds: for one connection.
///
/// Each is one chain, shared by all Services: `numgen` wants its modulus as a constant, a timeout is one too. Where
/// endpoints have turns, the counter is in the chain: so `turn`, which is not 0, names a chain for few Services, mostly
/// for one.
record Choice(FrontendKind entrance, boolean inside, int count, int seconds, int turn) {
    /// How many chains there may be for one number of endpoints that have turns.
    static final int TURNS = 16_383;

    /// A random one.
    Choice(FrontendKind entrance, boolean inside, int count, int seconds) {
        this(entrance, inside, count, seconds, 0);
    }

    Choice {
        if (turn != 0 && seconds != 0) {
            throw new IllegalArgumentException("who comes back has no turn");
        }
    }

    /// The endpoints for what begins on this node are numbered from here on, where they are others.
    static final int FIRST_INSIDE = 65_536;

    // When a new chain looks into a map, the kernel walks that map: 40 ms where it has 100,000 elements. So the usual
    // chains are there before the first element comes, and a Service that grows from 10 endpoints to 11 costs nothing.
    private static final int STANDING = 16;

    /// Those that are part of the foundation.
    static List<Choice> standing() {
        List<Choice> choices = new ArrayList<>();
        for (int count = 1; count <= STANDING; count++) {
            choices.add(new Choice(FrontendKind.ADDRESS, false, count, 0));
            choices.add(new Choice(FrontendKind.NODE_PORT, false, count, 0));
        }
        return choices;
    }

    boolean isStanding() {
        return !inside && seconds == 0 && turn == 0 && count <= STANDING;
    }

    String chainName() {
        return entrance.letter()
                + count
                + (inside ? "-inside" : "")
                + (seconds == 0 ? "" : "-%ds".formatted(seconds))
                + (turn == 0 ? "" : "-turn-" + turn);
    }

    /// The chain, which ends where a packet goes on that found no endpoint at the index it chose.
    Chain chain(Family family) {
        List<Rule> rules = new ArrayList<>();
        if (seconds == 0) {
            rules.add(choose(family, count));
        } else {
            rules.add(recall(family));
            rules.add(chooseAndRemember(family));
            rules.add(chooseSlot(family, count)); // the memory is full
        }
        rules.add(Rule.of(new Goto(fallbackName())));
        return new Chain(family, chainName(), Hook.NONE, rules);
    }

    private String fallbackName() {
        return entrance.letter() + "-first" + (inside ? "-inside" : "");
    }

    /// Takes the first endpoint.
    ///
    /// The look-ups of one packet may see the state before and after a change: an old plan, and
    /// fewer endpoints. The first endpoint is always there. If even that is gone, dropping makes the
    /// client send again, where going on would let the packet out to an address that no host has.
    static List<Chain> fallbacks(Family family) {
        return Arrays.stream(FrontendKind.values())
                .flatMap(entrance -> Stream.of(new Choice(entrance, false, 1, 0), new Choice(entrance, true, 1, 0)))
                .map(one -> one.fallback(family))
                .toList();
    }

    private Chain fallback(Family family) {
        List<Rule> rules = List.of(choose(family, 1), chooseSlot(family, 1), Rule.of(new Drop()));
        return new Chain(family, fallbackName(), Hook.NONE, rules);
    }

    private Rule choose(Family family, int count) {
        return new Rule(entrance.load(family))
                .then(
                        chosen(count, entrance.next(family)),
                        new Lookup(entrance.endpoints(), FIRST_REGISTER, FIRST_REGISTER),
                        dnat(family));
    }

    private Choose chosen(int count, int into) {
        return new Choose(count, inside ? FIRST_INSIDE : 0, turn != 0, into);
    }

    /// The endpoint that the client had, if it is still there.
    private Rule recall(Family family) {
        int number = entrance.next(family);
        int client = number + 1;
        return new Rule(entrance.load(family))
                .then(loadClient(family, client))
                .then(new Lookup(SetShape.AFFINITY, client, number))
                .then(throughMark(number, LAST_REGISTER))
                .then(new Remember(Note.UPDATE, client, number, seconds))
                .then(backend(family));
    }

    // To update a note would leave the number as it is: so it is deleted and made anew.
    private Rule chooseAndRemember(Family family) {
        int number = entrance.next(family);
        int client = number + 1;
        return new Rule(entrance.load(family))
                .then(loadClient(family, client))
                .then(chosen(count, number), new Lookup(entrance.slots(), FIRST_REGISTER, number))
                .then(throughMark(number, LAST_REGISTER))
                .then(new Remember(Note.DELETE, client, number, 0), new Remember(Note.ADD, client, number, seconds))
                .then(backend(family));
    }

    private Rule chooseSlot(Family family, int count) {
        int number = entrance.next(family);
        return new Rule(entrance.load(family))
                .then(chosen(count, number), new Lookup(entrance.slots(), FIRST_REGISTER, number))
                .then(throughMark(number, LAST_REGISTER))
                .then(backend(family));
    }

    /// The client's address and the number of the port: the key of what is remembered.
    private List<Expression> loadClient(Family family, int client) {
        int port = client + Layout.addressRegisters(family);
        List<Expression> steps = new ArrayList<>();
        steps.add(new Lookup(entrance.sticky(), FIRST_REGISTER, port));
        steps.addAll(throughMark(port, LAST_REGISTER));
        steps.add(new Load(PacketField.SOURCE, client));
        return steps;
    }

    private List<Expression> backend(Family family) {
        return List.of(new Lookup(entrance.backends(inside), FIRST_REGISTER, FIRST_REGISTER), dnat(family));
    }

    private static Dnat dnat(Family family) {
        return new Dnat(FIRST_REGISTER, FIRST_REGISTER + Layout.addressRegisters(family));
    }
}
