package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.List;

/// A port of a Service in one family: what its chains are named after.
record Port(ServicePortName name, Family family) {
    Chain chain(Table table, String chain, List<Rule> rules) {
        return new Chain(new ChainKey(family, table, chain), rules);
    }

    Line line(Table table, String chain, Rule rule) {
        return new Line(new ChainKey(family, table, chain), rule);
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
