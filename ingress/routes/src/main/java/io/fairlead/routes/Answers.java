package io.fairlead.routes;

import static io.fairlead.routes.Annotation.ALLOWLIST_SOURCE_RANGE;
import static io.fairlead.routes.Annotation.APP_ROOT;
import static io.fairlead.routes.Annotation.CANARY_BY_COOKIE;
import static io.fairlead.routes.Annotation.CANARY_BY_HEADER;
import static io.fairlead.routes.Annotation.CANARY_BY_HEADER_PATTERN;
import static io.fairlead.routes.Annotation.CANARY_BY_HEADER_VALUE;
import static io.fairlead.routes.Annotation.CANARY_WEIGHT;
import static io.fairlead.routes.Annotation.CANARY_WEIGHT_TOTAL;
import static io.fairlead.routes.Annotation.DEFAULT_BACKEND;
import static io.fairlead.routes.Annotation.DENYLIST_SOURCE_RANGE;
import static io.fairlead.routes.Annotation.PERMANENT_REDIRECT;
import static io.fairlead.routes.Annotation.PERMANENT_REDIRECT_CODE;
import static io.fairlead.routes.Annotation.REWRITE_TARGET;
import static io.fairlead.routes.Annotation.TEMPORAL_REDIRECT;
import static io.fairlead.routes.Annotation.TEMPORAL_REDIRECT_CODE;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The way of a request through a table, as the Lua in nginx goes it: the order of the steps is the same.
final class Answers {
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int TO_HTTPS = 308;

    private Answers() {}

    static RequestOutcome of(RouteTable table, Request request) {
        Optional<PathRoute> found = table.find(request.host())
                .flatMap(routes -> routes.find(request.path()))
                .or(() -> table.hosts()
                        .find(IngressEntry.ANY_HOST)
                        .flatMap(any -> any.fallback().stream().findFirst()));
        if (found.isEmpty()) {
            return new RequestOutcome.Refuse(NOT_FOUND);
        }
        PathRoute route = found.get();
        return secured(route, request)
                .or(() -> refused(route, request))
                .or(() -> redirected(route, request))
                .orElseGet(() -> sent(table, route, request));
    }

    private static Optional<RequestOutcome> secured(PathRoute route, Request request) {
        return route.secured() && request.scheme().equals("http")
                ? Optional.of(new RequestOutcome.Redirect(TO_HTTPS, "https://" + request.host() + request.path()))
                : Optional.empty();
    }

    private static Optional<RequestOutcome> refused(PathRoute route, Request request) {
        Options options = route.settled().options();
        List<String> allowed = options.list(ALLOWLIST_SOURCE_RANGE);
        boolean refused = contains(options.list(DENYLIST_SOURCE_RANGE), request.client())
                || (!allowed.isEmpty() && !contains(allowed, request.client()));
        return refused ? Optional.of(new RequestOutcome.Refuse(FORBIDDEN)) : Optional.empty();
    }

    private static boolean contains(List<String> ranges, Ip client) {
        return ranges.stream().map(Cidr::parse).anyMatch(range -> range.contains(client));
    }

    private static Optional<RequestOutcome> redirected(PathRoute route, Request request) {
        Options options = route.settled().options();
        if (options.has(PERMANENT_REDIRECT)) {
            return redirect(options.number(PERMANENT_REDIRECT_CODE, 301), options.text(PERMANENT_REDIRECT, ""));
        }
        if (options.has(TEMPORAL_REDIRECT)) {
            return redirect(options.number(TEMPORAL_REDIRECT_CODE, 302), options.text(TEMPORAL_REDIRECT, ""));
        }
        return options.has(APP_ROOT) && request.path().equals("/")
                ? redirect(302, options.text(APP_ROOT, ""))
                : Optional.empty();
    }

    private static Optional<RequestOutcome> redirect(long status, String location) {
        return Optional.of(new RequestOutcome.Redirect((int) status, location));
    }

    private static RequestOutcome sent(RouteTable table, PathRoute route, Request request) {
        ServicePort target = route.canaries().stream()
                .filter(canary -> chosen(canary.options(), request))
                .map(PathRoute.Canary::target)
                .findFirst()
                .orElse(route.target());
        return Stream.concat(Stream.of(target), instead(route).stream())
                .filter(one -> leadsSomewhere(table, one))
                .findFirst()
                .<RequestOutcome>map(
                        one -> new RequestOutcome.Send(one, rewritten(route, request.path()), route.ingress()))
                .orElse(new RequestOutcome.Refuse(UNAVAILABLE));
    }

    /// The Service in place of one without endpoints.
    private static Optional<ServicePort> instead(PathRoute route) {
        String name = route.settled().options().text(DEFAULT_BACKEND, "");
        return name.isEmpty() || name.contains("/")
                ? Optional.empty()
                : Optional.of(
                        new ServicePort(new NamespacedName(route.ingress().namespace(), name), ServicePort.FIRST));
    }

    private static boolean leadsSomewhere(RouteTable table, ServicePort target) {
        return table.upstreams()
                .find(target)
                .filter(found -> !(found instanceof ServiceUpstream.Nowhere))
                .isPresent();
    }

    /// Only what the request itself decides: a weight counts where it is all or nothing.
    private static boolean chosen(Options options, Request request) {
        String header = options.text(CANARY_BY_HEADER, "");
        String value = request.header(header);
        if (!header.isEmpty() && !value.isEmpty()) {
            Optional<Boolean> decided = byHeader(options, value);
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        String cookie = request.cookie(options.text(CANARY_BY_COOKIE, ""));
        if (cookie.equals("always") || cookie.equals("never")) {
            return cookie.equals("always");
        }
        return options.number(CANARY_WEIGHT, 0) >= options.number(CANARY_WEIGHT_TOTAL, 100);
    }

    private static Optional<Boolean> byHeader(Options options, String value) {
        if (options.has(CANARY_BY_HEADER_VALUE)) {
            return value.equals(options.text(CANARY_BY_HEADER_VALUE, "")) ? Optional.of(true) : Optional.empty();
        }
        if (options.has(CANARY_BY_HEADER_PATTERN)) {
            return Pattern.compile(options.text(CANARY_BY_HEADER_PATTERN, ""))
                            .matcher(value)
                            .find()
                    ? Optional.of(true)
                    : Optional.empty();
        }
        return switch (value) {
            case "always" -> Optional.of(true);
            case "never" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static String rewritten(PathRoute route, String path) {
        String target = route.settled().options().text(REWRITE_TARGET, "");
        if (target.isEmpty() || route.match() != PathRoute.Match.REGEX) {
            return target.isEmpty() ? path : target;
        }
        Matcher matcher = route.pattern().matcher(path);
        if (!matcher.lookingAt()) {
            return path;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < target.length(); i++) {
            boolean group =
                    target.charAt(i) == '$' && i + 1 < target.length() && Character.isDigit(target.charAt(i + 1));
            if (group) {
                int number = target.charAt(++i) - '0';
                text.append(
                        number <= matcher.groupCount() && matcher.group(number) != null ? matcher.group(number) : "");
            } else {
                text.append(target.charAt(i));
            }
        }
        return text.toString();
    }
}
