package io.fairlead.http;

import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.objects.Selection;
import io.fairlead.objects.StatusException;
import java.time.Duration;

/// What one watch is asked to tell: about which objects, from where on, and for how long.
record WatchOptions(Selection selection, Start start, Revision after, boolean bookmarks, Duration timeout) {

    /// Where a watch begins.
    enum Start {
        /// With an ADDED for each object that is there (K14).
        STATE,
        /// The same, and a bookmark that says when all of these are sent (K16).
        MARKED_STATE,
        /// With what happens after a revision.
        CHANGES
    }

    /// `newest` is where a watch starts that wants no state and names no revision.
    static WatchOptions of(ApiRequest request, Selection selection, Revision newest, Duration usualTimeout) {
        checkMatch(request);
        Revision asked = request.revision("resourceVersion");
        Start start = start(request, asked);
        boolean fromNow = start == Start.CHANGES && asked.equals(Revision.ZERO);
        return new WatchOptions(
                selection,
                start,
                fromNow ? newest : asked,
                request.flag("allowWatchBookmarks"),
                timeout(request.query("timeoutSeconds"), usualTimeout));
    }

    boolean sendsState() {
        return start != Start.CHANGES;
    }

    boolean marksEndOfState() {
        return start == Start.MARKED_STATE;
    }

    private static Start start(ApiRequest request, Revision asked) {
        return switch (request.query("sendInitialEvents")) {
            case "" -> asked.equals(Revision.ZERO) ? Start.STATE : Start.CHANGES;
            case "true", "1" -> Start.MARKED_STATE;
            default -> Start.CHANGES;
        };
    }

    /// The two parameters come together or not at all (K16).
    private static void checkMatch(ApiRequest request) {
        boolean initialEvents = !request.query("sendInitialEvents").isEmpty();
        String match = request.query("resourceVersionMatch");
        if (initialEvents && !match.equals("NotOlderThan")) {
            throw StatusException.invalidOption(
                    "ListOptions",
                    Problem.forbidden(
                            "resourceVersionMatch",
                            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!initialEvents && !match.isEmpty()) {
            throw StatusException.invalidOption(
                    "ListOptions",
                    Problem.forbidden(
                            "resourceVersionMatch",
                            "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
        }
    }

    private static Duration timeout(String seconds, Duration usual) {
        if (seconds.isEmpty()) {
            return usual;
        }
        try {
            long asked = Long.parseLong(seconds);
            return asked <= 0 ? usual : Duration.ofSeconds(Math.min(asked, Integer.MAX_VALUE));
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("timeoutSeconds: \"" + seconds + "\" is not a whole number");
        }
    }
}
