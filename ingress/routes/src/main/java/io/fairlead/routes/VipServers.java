package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.simple;
import static io.fairlead.routes.Statement.template;

import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The servers of a configuration without Lua: hosts, paths and upstreams as nginx's own blocks.
record VipServers(RouteTable table, Frame frame, boolean secure) {
    /// A group with a name would be a variable of nginx.
    private static final Pattern NAMED_GROUP = Pattern.compile("\\(\\?(P?<[A-Za-z_]|')");

    private static final Pattern OTHER_DOLLAR = Pattern.compile("\\$(?![0-9])");

    /// One upstream for each Service and protocol in use; those without an address have none.
    List<Statement> upstreams() {
        SortedMap<String, Statement> all = new TreeMap<>();
        table.hosts()
                .values()
                .flatMap(host -> Stream.concat(host.routes().stream(), host.fallback().stream()))
                .forEach(route -> {
                    List<String> addresses = addresses(route);
                    if (!addresses.isEmpty()) {
                        all.computeIfAbsent(upstream(route), name -> upstream(name, route, addresses));
                    }
                });
        return List.copyOf(all.values());
    }

    private Statement upstream(String name, PathRoute route, List<String> addresses) {
        List<Statement> body = new ArrayList<>();
        addresses.forEach(address -> body.add(simple("server", address)));
        // A kept connection with TLS would be used for another name.
        if (!protocol(route).endsWith("S")) {
            Settings settings = frame.settings();
            body.add(simple("keepalive", settings.text(Setting.UPSTREAM_KEEPALIVE_CONNECTIONS)));
            body.add(simple("keepalive_timeout", settings.text(Setting.UPSTREAM_KEEPALIVE_TIMEOUT) + "s"));
        }
        return block("upstream", List.of(name), body);
    }

    private static String upstream(PathRoute route) {
        return "service-" + Digests.of(route.target() + " " + protocol(route));
    }

    private static String protocol(PathRoute route) {
        return route.settled().options().text(Annotation.BACKEND_PROTOCOL, "HTTP");
    }

    /// The address of the Service, or those of its endpoints where it has none; nothing where no endpoint would answer.
    private List<String> addresses(PathRoute route) {
        Optional<ServiceUpstream> found = table.upstreams().find(route.target());
        if (!(found.orElse(null) instanceof ServiceUpstream.Endpoints endpoints)) {
            return List.of();
        }
        Optional<Service> service = table.snapshot()
                .services()
                .find(route.target().service())
                .filter(one -> !one.clusterIps().isEmpty());
        Optional<String> vip =
                service.flatMap(one -> ServiceUpstream.port(one, route.target().port())
                        .map(port -> address(one.clusterIps().getFirst(), port.port())));
        return vip.map(List::of)
                .orElseGet(() -> endpoints.targets().stream()
                        .map(target -> address(target.ip(), target.port()))
                        .toList());
    }

    private static String address(Ip ip, int port) {
        return ip.toString().contains(":") ? "[%s]:%d".formatted(ip, port) : "%s:%d".formatted(ip, port);
    }

    Statement server(String host, String certificate) {
        boolean any = host.equals(IngressEntry.ANY_HOST);
        List<Statement> server = new ArrayList<>(frame.listeners(secure, any));
        server.add(simple("server_name", any ? "_" : name(host)));
        if (secure) {
            server.addAll(frame.tls(certificate));
        }
        server.addAll(Locations.variables().stream()
                .filter(statement -> !statement.name().equals("internal"))
                .toList());
        server.addAll(locations(table.find(host)));
        return block("server", List.of(), server);
    }

    /// A wildcard is exactly one label; nginx's own is one or more.
    private static String name(String host) {
        return host.startsWith("*.")
                ? "~^[^.]+\\.%s\\z".formatted(host.substring(2).replace(".", "\\."))
                : host;
    }

    private List<Statement> locations(Optional<HostRoutes> found) {
        List<PathRoute> routes = found.map(HostRoutes::routes).orElse(List.of());
        List<PathRoute> regexes = routes.stream()
                .filter(route -> route.match() == PathRoute.Match.REGEX)
                .toList();
        List<Statement> all = new ArrayList<>();
        TreeMap<String, PathRoute> exact = new TreeMap<>();
        boolean hasRoot = false;
        for (PathRoute route : routes) {
            switch (route.match()) {
                case EXACT -> exact.put(route.path(), route);
                case PREFIX -> {
                    String element = route.plain();
                    hasRoot |= element.isEmpty();
                    // `/a/b/` answers for `/a/b` too, without a redirect.
                    if (!element.isEmpty()) {
                        found.flatMap(host -> host.find(element)).ifPresent(best -> exact.putIfAbsent(element, best));
                    }
                    all.add(prefix(element + "/", route, regexes));
                }
                case REGEX -> {} // within the prefixes that are shorter
            }
        }
        exact.forEach((path, route) -> all.add(block("location", List.of("=", path), body(route))));
        if (!hasRoot) {
            all.add(rest(found.flatMap(host -> host.fallback().stream().findFirst()), regexes));
        }
        return distinct(all);
    }

    // `/a` and `/a/` are two rules for the same elements; the better came first.
    private static List<Statement> distinct(List<Statement> all) {
        List<List<String>> seen = new ArrayList<>();
        List<Statement> kept = new ArrayList<>();
        for (Statement location : all) {
            if (!seen.contains(location.words())) {
                seen.add(location.words());
                kept.add(location);
            }
        }
        return kept;
    }

    private Statement prefix(String path, PathRoute route, List<PathRoute> regexes) {
        return shell(
                path,
                body(route),
                regexes.stream()
                        .filter(regex -> regex.path().length() >= route.plain().length())
                        .toList());
    }

    private Statement rest(Optional<PathRoute> fallback, List<PathRoute> regexes) {
        Optional<PathRoute> last = fallback.or(() -> table.hosts()
                .find(IngressEntry.ANY_HOST)
                .flatMap(any -> any.fallback().stream().findFirst()));
        return shell("/", last.map(this::body).orElseGet(() -> List.of(simple("return", "404"))), regexes);
    }

    // What stands in a location is inherited by those within it, so one with regular expressions has nothing else.
    private Statement shell(String path, List<Statement> body, List<PathRoute> regexes) {
        if (regexes.isEmpty()) {
            return block("location", List.of("^~", path), body);
        }
        List<Statement> inner = new ArrayList<>();
        regexes.forEach(regex -> inner.add(regex(regex)));
        inner.add(block("location", List.of(path), body));
        return block("location", List.of("^~", path), inner);
    }

    private Statement regex(PathRoute route) {
        return block("location", List.of("~*", "^(?:%s)".formatted(route.path())), body(route));
    }

    private List<Statement> body(PathRoute route) {
        Options options = route.settled().options();
        List<Statement> body = new ArrayList<>();
        body.add(simple("client_max_body_size", size(options)));
        set(body, "ingress", route.ingress().toString());
        set(body, "service", route.target().toString());
        if (!options.flag(Annotation.ENABLE_ACCESS_LOG, true)) {
            set(body, "unlogged", "1");
        }
        if (route.match() == PathRoute.Match.REGEX
                && NAMED_GROUP.matcher(route.path()).find()) {
            body.add(simple("return", "503"));
            return body;
        }
        if (route.secured() && (route.saysSecured() || frame.settings().flag(Setting.SSL_REDIRECT))) {
            body.add(when("$fairlead_scheme", "http", template("return", "308", "https://$host$request_uri")));
        }
        ranges(options, body);
        redirects(options, body);
        target(route, body);
        return body;
    }

    private String size(Options options) {
        return options.text(Annotation.PROXY_BODY_SIZE, frame.settings().text(Setting.PROXY_BODY_SIZE));
    }

    private static void set(List<Statement> body, String variable, String value) {
        body.add(template("set", "$fairlead_" + variable, inert(value)));
    }

    private static Statement when(String variable, String value, Statement then) {
        return block("if", List.of("(" + variable, "=", value + ")"), List.of(then));
    }

    private static void ranges(Options options, List<Statement> body) {
        options.list(Annotation.DENYLIST_SOURCE_RANGE).forEach(range -> body.add(simple("deny", range)));
        List<String> allowed = options.list(Annotation.ALLOWLIST_SOURCE_RANGE);
        allowed.forEach(range -> body.add(simple("allow", range)));
        if (!allowed.isEmpty()) {
            body.add(simple("deny", "all"));
        }
    }

    private static void redirects(Options options, List<Statement> body) {
        if (options.has(Annotation.PERMANENT_REDIRECT)) {
            redirect(options, Annotation.PERMANENT_REDIRECT, Annotation.PERMANENT_REDIRECT_CODE, 301, body);
        } else if (options.has(Annotation.TEMPORAL_REDIRECT)) {
            redirect(options, Annotation.TEMPORAL_REDIRECT, Annotation.TEMPORAL_REDIRECT_CODE, 302, body);
        } else if (options.has(Annotation.APP_ROOT)) {
            String to = inert(options.text(Annotation.APP_ROOT, "/"));
            body.add(when("$uri", "/", template("return", "302", to)));
        }
    }

    private static void redirect(Options options, Annotation where, Annotation code, long usual, List<Statement> body) {
        body.add(template("return", Long.toString(options.number(code, usual)), inert(options.text(where, "/"))));
    }

    private void target(PathRoute route, List<Statement> body) {
        Options options = route.settled().options();
        Optional<ServiceUpstream> upstream = table.upstreams().find(route.target());
        boolean external = upstream.orElse(null) instanceof ServiceUpstream.External;
        if (!external && addresses(route).isEmpty()) {
            body.add(simple("return", "503"));
            return;
        }
        if (upstream.orElse(null) instanceof ServiceUpstream.External(String name, int port)) {
            set(body, "external", name + ":" + port);
            set(body, "tls_name", name);
        } else {
            body.add(template("set", "$fairlead_tls_name", "$host"));
        }
        body.add(template("set", "$fairlead_host", host(options)));
        set(body, "prefix", options.text(Annotation.X_FORWARDED_PREFIX, ""));
        if (!route.settled().passwords().isEmpty()) {
            set(body, "realm", route.settled().realm());
            set(body, "users", route.settled().passwordFile());
        }
        rewrite(route, options, body);
        // With a header of its own a location no longer has those of its server.
        if (secure && !route.settled().headers().isEmpty()) {
            frame.hsts().ifPresent(body::add);
        }
        route.settled()
                .headers()
                .forEach((name, value) -> body.add(template("add_header", name, inert(value), "always")));
        boolean rich = route.profile().rich();
        Profile full = new Profile(options.values(), rich, external);
        body.addAll(new Locations(frame.place(), frame.settings(), false, secure).rest(full, upstream(route)));
    }

    private static String host(Options options) {
        return options.has(Annotation.UPSTREAM_VHOST)
                ? inert(options.text(Annotation.UPSTREAM_VHOST, ""))
                : "$http_host";
    }

    private static void rewrite(PathRoute route, Options options, List<Statement> body) {
        if (options.has(Annotation.REWRITE_TARGET)) {
            String target = options.text(Annotation.REWRITE_TARGET, "/");
            boolean regex = route.match() == PathRoute.Match.REGEX;
            String to = regex ? OTHER_DOLLAR.matcher(target).replaceAll("\\${fairlead_dollar}") : inert(target);
            body.add(template("rewrite", regex ? "(?i)^(?:%s)".formatted(route.path()) : "^", to, "break"));
        }
    }

    /// Text in which nothing is a variable.
    private static String inert(String text) {
        return text.replace("$", "${fairlead_dollar}");
    }
}
