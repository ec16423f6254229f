package io.fairlead.zone;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The numbers of the types of records that are known by name here.
public final class RecordType {
    public static final int A = 1;
    public static final int NS = 2;
    public static final int CNAME = 5;
    public static final int SOA = 6;
    public static final int PTR = 12;
    public static final int MX = 15;
    public static final int TXT = 16;
    public static final int AAAA = 28;
    public static final int SRV = 33;
    public static final int OPT = 41;
    public static final int IXFR = 251;
    public static final int AXFR = 252;
    public static final int ANY = 255;

    /// The class of the Internet.
    public static final int INTERNET = 1;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(A, "A"),
            Map.entry(NS, "NS"),
            Map.entry(CNAME, "CNAME"),
            Map.entry(SOA, "SOA"),
            Map.entry(PTR, "PTR"),
            Map.entry(MX, "MX"),
            Map.entry(TXT, "TXT"),
            Map.entry(AAAA, "AAAA"),
            Map.entry(SRV, "SRV"),
            Map.entry(IXFR, "IXFR"),
            Map.entry(AXFR, "AXFR"),
            Map.entry(ANY, "ANY"));

    private RecordType() {}

    /// `AAAA`, or `TYPE99` for one without a name here.
    public static String text(int type) {
        String name = NAMES.get(type);
        return name == null ? "TYPE" + type : name;
    }

    public static Optional<Integer> find(String text) {
        String wanted = text.toUpperCase(Locale.ROOT);
        return NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(wanted))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
