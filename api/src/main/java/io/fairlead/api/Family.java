package io.fairlead.api;

/// The two families of IP addresses.
public enum Family {
    IPV4("IPv4", 32),
    IPV6("IPv6", 128);

    private final String text;
    private final int bits;

    Family(String text, int bits) {
        this.text = text;
        this.bits = bits;
    }

    /// The length of an address of this family.
    public int bits() {
        return bits;
    }

    /// As the Kubernetes API spells it: `IPv4` or `IPv6`.
    @Override
    public String toString() {
        return text;
    }
}
