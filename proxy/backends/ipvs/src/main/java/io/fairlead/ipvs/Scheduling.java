package io.fairlead.ipvs;

/// How a virtual server chooses: the kernel's name of the scheduler, and its flags.
public record Scheduling(String scheduler, int flags) {
    static final int FALLBACK = 0x08;
    static final int PORT = 0x10;

    /// Without the fallback the two that hash the source send clients to servers of weight 0. With the port, `mh`
    /// spreads the connections of one client, as in kube-proxy.
    static Scheduling of(String scheduler) {
        return new Scheduling(
                scheduler,
                switch (scheduler) {
                    case "sh" -> FALLBACK;
                    case "mh" -> FALLBACK | PORT;
                    default -> 0;
                });
    }

    /// The one of the same kind that looks at weights.
    static String byWeight(String scheduler) {
        return switch (scheduler) {
            case "rr" -> "wrr";
            case "lc" -> "wlc";
            default -> scheduler;
        };
    }

    @Override
    public String toString() {
        String text = "-s " + scheduler;
        if (flags == 0) {
            return text;
        }
        String fallback = (flags & FALLBACK) != 0 ? scheduler + "-fallback" : "";
        String port = (flags & PORT) != 0 ? scheduler + "-port" : "";
        return text + " -b " + fallback + (fallback.isEmpty() || port.isEmpty() ? "" : ",") + port;
    }
}
