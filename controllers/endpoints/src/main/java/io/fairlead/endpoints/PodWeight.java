package io.fairlead.endpoints;

import io.fairlead.api.Pod;
import java.util.regex.Pattern;

/// The share of connections that a pod wants, against the other pods of its Service: its annotation
/// `fairlead.io/weight`, a whole number from 0 to 65535.
final class PodWeight {
    private static final String ANNOTATION = "fairlead.io/weight";
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,4}");
    private static final int MOST = 65_535;
    private static final String USUAL = "1";

    private PodWeight() {}

    /// The number as text; empty for the usual share, and for what is no weight.
    static String of(Pod pod) {
        String text = pod.metadata().annotations().getOrDefault(ANNOTATION, "");
        boolean counts = NUMBER.matcher(text).matches() && Integer.parseInt(text) <= MOST && !text.equals(USUAL);
        return counts ? text : "";
    }
}
