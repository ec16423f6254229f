package io.fairlead.routes;

import io.fairlead.api.NamespacedName;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// One path of a host and where it leads.
///
/// @param canaries other choices for the same path, the oldest first
/// @param secured whether plain HTTP is sent to HTTPS
public record PathRoute(
        NamespacedName ingress,
        Match match,
        String path,
        ServicePort target,
        Settled settled,
        Profile profile,
        List<Canary> canaries,
        boolean secured) {

    /// How a path is compared.
    public enum Match {
        EXACT,
        PREFIX,
        REGEX
    }

    /// Another Ingress for the same path, and when it is chosen.
    public record Canary(NamespacedName ingress, ServicePort target, Options options) {}

    /// The better first: an Exact before all, then the longer, then a regular expression.
    static final Comparator<PathRoute> BY_PRECEDENCE = Comparator.<PathRoute, Boolean>comparing(
                    route -> route.match != Match.EXACT)
            .thenComparingInt(route -> -route.plain().length())
            .thenComparingInt(route -> -route.path.length())
            .thenComparing(route -> route.match != Match.REGEX)
            .thenComparing(PathRoute::path);

    public PathRoute {
        canaries = List.copyOf(canaries);
    }

    /// The path without a slash at its end: elements are what is compared.
    String plain() {
        return match == Match.PREFIX && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    boolean matches(String uri) {
        return switch (match) {
            case EXACT -> uri.equals(path);
            case PREFIX -> uri.equals(plain()) || uri.startsWith(plain() + "/");
            case REGEX -> pattern().matcher(uri).lookingAt();
        };
    }

    Pattern pattern() {
        return Pattern.compile(path, Pattern.CASE_INSENSITIVE);
    }

    /// True if the Ingress itself says whether plain HTTP is sent to HTTPS; else what holds for all counts.
    boolean saysSecured() {
        return settled.options().has(Annotation.SSL_REDIRECT)
                || settled.options().has(Annotation.FORCE_SSL_REDIRECT);
    }

    PathRoute with(List<Canary> canaries) {
        return new PathRoute(ingress, match, path, target, settled, profile, canaries, secured);
    }
}
