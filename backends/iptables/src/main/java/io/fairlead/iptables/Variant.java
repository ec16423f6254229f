package io.fairlead.iptables;

/// The two packet filters of Linux that iptables can speak to. They do not see each other's rules.
public enum Variant {
    /// nf_tables, by way of compatible rules: a change costs what it is.
    NFT("nft"),
    /// The old one: each change replaces a whole table.
    LEGACY("legacy");

    private final String text;

    Variant(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
