package io.fairlead.nftables;

import java.util.Arrays;
import java.util.Optional;

/// One step of a rule, on the register machine of nf_tables; registers are numbered as NFT_REG32_xx.
///
/// A step that finds nothing (a comparison that fails, a key that is not there) ends the rule.
sealed interface Expression {
    /// RTN_LOCAL: an address of this machine.
    int LOCAL = 2;

    record Load(PacketField field, int into) implements Expression {}

    /// Gives the packet the mark that is in a register.
    record SetMark(int from) implements Expression {}

    /// `register = register & mask ^ flip`
    record Mask(int register, Bytes mask, Bytes flip) implements Expression {}

    record Compare(int register, boolean equal, Bytes value) implements Expression {}

    /// One of `count` numbers, from `first` on: a random one, or the next in turn; of one number: that number.
    record Choose(int count, int first, boolean inTurn, int into) implements Expression {}

    /// Looks up the key that begins at `key`. A map puts what it finds into the registers from `into`; a map to
    /// verdicts does what it finds, and a plain set gives nothing: there `into` is 0.
    record Lookup(SetShape set, int key, int into) implements Expression {}

    /// Notes for `seconds` that the key at `key` has the value at `value`; or notes it anew, or forgets it.
    /// Ends the rule if the set is full.
    record Remember(Note note, int key, int value, int seconds) implements Expression {}

    /// What [Remember] does: NFT_DYNSET_OP_*.
    enum Note {
        ADD(0),
        /// For another while; what is noted stays as it is.
        UPDATE(1),
        DELETE(2);

        private final int number;

        Note(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Optional<Note> find(int number) {
            return Arrays.stream(values()).filter(note -> note.number == number).findFirst();
        }
    }

    /// Counts one more connection for the key at `key`, in [SetShape#CONNECTION]; a key that no packet brings for
    /// `seconds` is forgotten. Ends the rule if the set is full.
    record Count(int key, int seconds) implements Expression {}

    /// Gives the connection a new destination.
    record Dnat(int address, int port) implements Expression {}

    /// Gives the connection the address of the interface it leaves by as source, and a random port.
    record Masquerade() implements Expression {}

    record RejectWithReset() implements Expression {}

    record RejectUnreachable() implements Expression {}

    /// Goes through another chain and comes back.
    record Jump(String chain) implements Expression {}

    /// Goes through another chain and not back: past its end, this chain's caller goes on.
    record Goto(String chain) implements Expression {}

    /// Back to the chain that jumped here.
    record Return() implements Expression {}

    record Drop() implements Expression {}
}
