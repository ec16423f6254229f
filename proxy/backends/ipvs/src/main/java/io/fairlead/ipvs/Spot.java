package io.fairlead.ipvs;

import io.fairlead.api.Family;

/// A chain of the packet filter: its family, its table and its name.
public record Spot(Family family, Table table, String chain) {
    /// A table that we write to; each is a transaction of its own, in this order.
    public enum Table {
        FILTER("filter"),
        NAT("nat"),
        MANGLE("mangle");

        private final String text;

        Table(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Override
    public String toString() {
        return (family == Family.IPV4 ? "ip " : "ip6 ") + table + " " + chain;
    }
}
