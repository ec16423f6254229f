package io.fairlead.nftables;

/// One step of a rule, on the register machine of nf_tables; registers are numbered as NFT_REG32_xx.
///
/// A step that finds nothing (a comparison that fails, a key that is not there) ends the rule.
sealed interface Expression {
    /// RTN_LOCAL: an address of this machine.
    int LOCAL = 2;

    /// The bit of the connection's state that says: this packet is its first.
    int STATE_NEW = 8;

    record Load(Field field, int into) implements Expression {}

    /// Gives the packet the mark that is in a register.
    record SetMark(int from) implements Expression {}

    /// `register = register & mask ^ flip`
    record Mask(int register, Bytes mask, Bytes flip) implements Expression {}

    record Compare(int register, boolean equal, Bytes value) implements Expression {}

    /// A random number below `count`.
    record Choose(int count, int into) implements Expression {}

    /// Looks up the key that begins at `key`. A map puts what it finds into the registers from `into`; a map to
    /// verdicts does what it finds, and a plain set gives nothing: there `into` is 0.
    record Lookup(SetShape set, int key, int into) implements Expression {}

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

    record Drop() implements Expression {}
}
