package io.fairlead.iptables;

import io.fairlead.api.Family;

/// How many rules of ours a table of one family holds, and how many the last change wrote there.
public record TableRules(Family family, String table, long held, long written) {}
