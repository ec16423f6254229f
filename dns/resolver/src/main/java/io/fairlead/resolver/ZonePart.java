package io.fairlead.resolver;

import io.fairlead.zone.ZoneSettings;

/// Where a question belongs to, for those who count.
enum ZonePart {
    /// A name of the cluster.
    CLUSTER(0),
    /// The name of an address that the cluster knows.
    REVERSE(1),
    /// Anything else.
    ELSEWHERE(2);

    private static final ZonePart[] ALL = {CLUSTER, REVERSE, ELSEWHERE};

    private final int number;

    ZonePart(int number) {
        this.number = number;
    }

    /// From 0, one after the other.
    int number() {
        return number;
    }

    static int count() {
        return ALL.length;
    }

    static ZonePart at(int number) {
        return ALL[number];
    }

    /// As the label `zone` has it.
    String label(ZoneSettings settings) {
        return switch (this) {
            case CLUSTER -> settings.origin().toString();
            case REVERSE -> "arpa.";
            case ELSEWHERE -> ".";
        };
    }
}
