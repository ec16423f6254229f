package io.fairlead.iptables;

import io.fairlead.api.Family;

/// A chain of a table, in one family: `nat KUBE-SERVICES`, or `nat6 KUBE-SERVICES`.
record ChainKey(Family family, Table table, String chain) {
    Slot slot() {
        return new Slot(family, table);
    }

    @Override
    public String toString() {
        return table + (family == Family.IPV4 ? " " : "6 ") + chain;
    }
}
