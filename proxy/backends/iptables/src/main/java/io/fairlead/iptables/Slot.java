package io.fairlead.iptables;

import io.fairlead.api.Family;

/// One table of one family.
record Slot(Family family, Table table) {}
