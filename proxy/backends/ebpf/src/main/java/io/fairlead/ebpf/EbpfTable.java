package io.fairlead.ebpf;

import java.util.Locale;

/// The maps that user space writes; `tables.h` has the same names and sizes. Those that the programs fill themselves
/// are in no Program.
enum EbpfTable {
    SERVICE(Sizes.PLACE, 16),
    ENDPOINT(16, Sizes.PLACE),
    MEMBER(32, 4),
    LOCAL(24, 4),
    NAME(Sizes.PLACE, Sizes.TEXT);

    /// The lengths of what stands in several of them.
    static final class Sizes {
        static final int PLACE = 20;
        static final int TEXT = 192;

        private Sizes() {}
    }

    private final int keySize;
    private final int valueSize;

    EbpfTable(int keySize, int valueSize) {
        this.keySize = keySize;
        this.valueSize = valueSize;
    }

    int keySize() {
        return keySize;
    }

    int valueSize() {
        return valueSize;
    }

    /// The name of the map.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
