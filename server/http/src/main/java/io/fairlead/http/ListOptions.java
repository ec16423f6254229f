package io.fairlead.http;

import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.objects.ContinueToken;
import io.fairlead.objects.StatusException;
import java.util.Optional;

/// Which state a list shows, and how much of it at once (K10, K11).
record ListOptions(Revision revision, boolean exact, int limit, Optional<ContinueToken> token) {

    static ListOptions of(ApiRequest request) {
        Optional<ContinueToken> token = Optional.of(request.query("continue"))
                .filter(text -> !text.isEmpty())
                .map(ContinueToken::parse);
        check(request, token.isPresent());
        return new ListOptions(
                request.revision("resourceVersion"),
                request.query("resourceVersionMatch").equals("Exact"),
                limit(request.query("limit")),
                token);
    }

    private static int limit(String text) {
        if (text.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        try {
            long limit = Long.parseLong(text);
            return limit <= 0 ? Integer.MAX_VALUE : (int) Math.min(limit, Integer.MAX_VALUE);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("limit: \"%s\" is not a whole number".formatted(text));
        }
    }

    private static void check(ApiRequest request, boolean continued) {
        String match = request.query("resourceVersionMatch");
        String version = request.query("resourceVersion");
        if (!request.query("sendInitialEvents").isEmpty()) {
            throw refused("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        if (continued && !version.isEmpty() && !version.equals("0")) {
            throw StatusException.badRequest("specifying resource version is not allowed when using continue");
        }
        if (!match.isEmpty()) {
            checkMatch(match, version, continued);
        }
    }

    private static void checkMatch(String match, String version, boolean continued) {
        if (continued) {
            throw refused("resourceVersionMatch", "resourceVersionMatch is forbidden for continue");
        }
        if (version.isEmpty()) {
            throw refused(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw refused(
                    "resourceVersionMatch", "resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw StatusException.invalidOption(
                    "ListOptions", Problem.notSupported("resourceVersionMatch", match, "\"Exact\", \"NotOlderThan\""));
        }
    }

    private static StatusException refused(String field, String rule) {
        return StatusException.invalidOption("ListOptions", Problem.forbidden(field, rule));
    }
}
