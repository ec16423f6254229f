package io.fairlead.iptables;

/// The two packet filters of Linux that iptables can speak to. They do not see each other's rules.
public enum Variant {
    /// nf_tables, by way of compatible rules: a change costs what it is.
    NFT("nft", 500),
    /// The old one: each change replaces a whole table.
    LEGACY("legacy", Integer.MAX_VALUE);

    private final String text;
    private final int pieces;

    Variant(String text, int pieces) {
        this.text = text;
        this.pieces = pieces;
    }

    /// How many rules a transaction should have at most, where they may be written in several.
    int pieces() {
        return pieces;
    }

    @Override
    public String toString() {
        return text;
    }
}
