package io.fairlead.nftables;

import io.fairlead.forwarding.ServicePortName;
import java.nio.charset.StandardCharsets;

/// The comment of an element: whose it is. Pure.
final class Comment {
    /// `nft` takes 128 bytes, the end of the string included: a longer comment is listed and cannot be loaded
    /// again.
    static final int MOST_BYTES = 127;

    /// Ends a comment that is cut, so that it is not taken for another Service's.
    private static final String CUT = "~";

    private Comment() {}

    /// The name of the Service's port; cut where it is too long, and then the counters of the Service are not
    /// read.
    static String of(ServicePortName service) {
        String text = service.toString();
        return text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES
                ? text
                : text.substring(0, MOST_BYTES - CUT.length()) + CUT; // names are of one byte a character
    }

    static boolean isCut(String comment) {
        return comment.endsWith(CUT);
    }
}
