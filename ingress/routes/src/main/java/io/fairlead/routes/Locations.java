package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.template;

import java.util.ArrayList;
import java.util.List;

/// The locations of a server: how a request is sent on, for each profile.
///
/// @param lua whether Lua runs in them
/// @param secure whether clients come by TLS
record Locations(NginxLayout place, Settings settings, boolean lua, boolean secure) {
    /// What Lua tells nginx, as `$fairlead_…`. They are named in a location that is never entered: where they
    /// are set, each request would set them, and those within a request would empty what it said.
    private static final List<String> VARIABLES = List.of(
            "unlogged",
            "ingress",
            "service",
            "host",
            "prefix",
            "external",
            "realm",
            "users",
            "auth",
            "auth_method",
            "auth_headers",
            "mirror",
            "tls_name",
            "client_cert");

    /// The Lua sets those of an Ingress itself; here they matter without it.
    private record Timeout(String name, Annotation own, Setting usual) {}

    private static final List<Timeout> TIMEOUTS = List.of(
            new Timeout("_connect_timeout", Annotation.PROXY_CONNECT_TIMEOUT, Setting.PROXY_CONNECT_TIMEOUT),
            new Timeout("_read_timeout", Annotation.PROXY_READ_TIMEOUT, Setting.PROXY_READ_TIMEOUT),
            new Timeout("_send_timeout", Annotation.PROXY_SEND_TIMEOUT, Setting.PROXY_SEND_TIMEOUT));

    /// The location that every request enters. How large its body may be depends on the route, so nginx must not look
    /// at its length here; Lua does.
    List<Statement> first() {
        List<Statement> location = new ArrayList<>();
        boolean ended = secure && !settings.flag(Setting.USE_FORWARDED_HEADERS);
        location.add(template("set", "$fairlead_key", "$fairlead_body$host$uri"));
        location.add(template(
                "set_by_lua",
                "$fairlead_service",
                ended ? "return fairlead.quick_secure()" : "return fairlead.quick()"));
        location.add(block(
                "if",
                List.of("(", "$fairlead_service", "=", "", ")"),
                List.of(Statement.simple("rewrite_by_lua", "fairlead.plain()"))));
        location.add(Statement.simple("client_max_body_size", "0"));
        location.addAll(rest(Profile.PLAIN, "fairlead_http"));
        return location;
    }

    /// The location by which a request goes whose answer ends its connection; from there it goes on to its profile.
    static Statement last() {
        return block(
                "location",
                List.of("@fairlead_last"),
                List.of(
                        Statement.simple("keepalive_timeout", "0"),
                        Statement.simple("rewrite_by_lua", "fairlead.last()")));
    }

    /// The location of a profile: a body whose length is not told is measured by nginx here.
    List<Statement> of(Profile profile) {
        List<Statement> location = new ArrayList<>();
        location.add(Statement.simple("rewrite_by_lua", "fairlead.profile()"));
        location.add(Statement.simple(
                "client_max_body_size",
                profile.options().text(Annotation.PROXY_BODY_SIZE, settings.text(Setting.PROXY_BODY_SIZE))));
        location.addAll(rest(profile, upstream(profile)));
        return location;
    }

    private static String upstream(Profile profile) {
        return switch (profile.options().text(Annotation.BACKEND_PROTOCOL, "HTTP")) {
            case "HTTP" -> "fairlead_http";
            case "GRPC" -> "fairlead_grpc";
            default -> "fairlead_tls";
        };
    }

    /// All but what decides the way of a request: it goes to `upstream`.
    List<Statement> rest(Profile profile, String upstream) {
        Options options = profile.options();
        List<Statement> location = new ArrayList<>();
        if (lua) {
            location.add(Statement.simple("log_by_lua", "fairlead.log()"));
        }
        if (lua && profile.rich()) {
            location.add(Statement.simple("header_filter_by_lua", "fairlead.headers()"));
        }
        access(options, location);
        sizes(options, location);
        errors(options, location);
        if (options.has(Annotation.MIRROR_TARGET)) {
            location.add(Statement.simple("mirror", "/.fairlead/mirror"));
            location.add(Statement.simple("mirror_request_body", options.text(Annotation.MIRROR_REQUEST_BODY, "on")));
        }
        boolean grpc = options.text(Annotation.BACKEND_PROTOCOL, "HTTP").startsWith("GRPC");
        headers(profile, grpc ? "grpc_set_header" : "proxy_set_header", location);
        if (grpc) {
            grpc(options, upstream, location);
        } else {
            http(profile, upstream, location);
        }
        return location;
    }

    private void access(Options options, List<Statement> location) {
        if (options.has(Annotation.AUTH_TYPE)) {
            location.add(template("auth_basic", "$fairlead_realm"));
            location.add(template("auth_basic_user_file", place.file("auth/$fairlead_users")));
        }
        if (options.has(Annotation.AUTH_URL)) {
            location.add(Statement.simple("auth_request", "/.fairlead/auth"));
            location.add(Statement.simple("access_by_lua_file", place.file("lua/authorized.lua")));
            location.add(Statement.simple("error_page", "401", "=", "@fairlead_signin"));
        }
    }

    private static void sizes(Options options, List<Statement> location) {
        if (options.has(Annotation.CLIENT_BODY_BUFFER_SIZE)) {
            location.add(Statement.simple(
                    "client_body_buffer_size", options.text(Annotation.CLIENT_BODY_BUFFER_SIZE, "16k")));
        }
    }

    private static void errors(Options options, List<Statement> location) {
        List<String> codes = options.list(Annotation.CUSTOM_HTTP_ERRORS);
        if (!codes.isEmpty()) {
            location.add(Statement.simple("proxy_intercept_errors", "on"));
            List<String> words = new ArrayList<>(codes);
            words.add("=");
            words.add("@fairlead_errors");
            location.add(new Statement.Simple("error_page", words));
        }
    }

    private void headers(Profile profile, String name, List<Statement> location) {
        location.add(template(name, "Host", profile.rich() ? "$fairlead_host" : "$http_host"));
        location.add(template(name, "X-Request-ID", "$request_id"));
        location.add(template(name, "X-Real-IP", "$remote_addr"));
        location.add(template(
                name,
                "X-Forwarded-For",
                settings.flag(Setting.USE_FORWARDED_HEADERS) ? "$proxy_add_x_forwarded_for" : "$remote_addr"));
        location.add(template(name, "X-Forwarded-Host", "$http_host"));
        location.add(template(name, "X-Forwarded-Port", "$server_port"));
        String own = secure ? "https" : "http";
        String scheme = settings.flag(Setting.USE_FORWARDED_HEADERS) ? "$fairlead_scheme" : own;
        location.add(template(name, "X-Forwarded-Proto", scheme));
        location.add(template(name, "X-Forwarded-Scheme", scheme));
        location.add(template(name, "X-Scheme", scheme));
        // A client must not make endpoints take a certificate for checked that it did not show.
        location.add(template(name, "ssl-client-cert", profile.rich() ? "$fairlead_client_cert" : ""));
        location.add(template(name, "ssl-client-verify", profile.rich() ? "$ssl_client_verify" : ""));
        if (profile.rich()) {
            location.add(template(name, "X-Forwarded-Prefix", "$fairlead_prefix"));
        }
    }

    private void http(Profile profile, String upstream, List<Statement> location) {
        Options options = profile.options();
        boolean tls = options.text(Annotation.BACKEND_PROTOCOL, "HTTP").equals("HTTPS");
        location.add(Statement.simple("proxy_http_version", "1.1"));
        location.add(template("proxy_set_header", "Upgrade", "$http_upgrade"));
        location.add(template("proxy_set_header", "Connection", "$fairlead_connection"));
        location.add(Statement.simple("proxy_redirect", "off"));
        location.add(Statement.simple("proxy_buffering", options.text(Annotation.PROXY_BUFFERING, "off")));
        if (options.has(Annotation.PROXY_REQUEST_BUFFERING)) {
            location.add(Statement.simple(
                    "proxy_request_buffering", options.text(Annotation.PROXY_REQUEST_BUFFERING, "on")));
        }
        String size = options.text(Annotation.PROXY_BUFFER_SIZE, settings.text(Setting.PROXY_BUFFER_SIZE));
        location.add(Statement.simple("proxy_buffer_size", size));
        location.add(Statement.simple(
                "proxy_buffers", Long.toString(options.number(Annotation.PROXY_BUFFERS_NUMBER, 4)), size));
        tries("proxy", options, location);
        timeouts("proxy", options, location);
        if (tls) {
            location.add(Statement.simple("proxy_ssl_server_name", "on"));
            location.add(template("proxy_ssl_name", "$fairlead_tls_name"));
        }
        String scheme = tls ? "https://" : "http://";
        location.add(
                profile.external()
                        ? template("proxy_pass", scheme + "$fairlead_external")
                        : Statement.simple("proxy_pass", scheme + upstream));
    }

    private void grpc(Options options, String upstream, List<Statement> location) {
        boolean tls = options.text(Annotation.BACKEND_PROTOCOL, "").equals("GRPCS");
        location.add(Statement.simple(
                "grpc_buffer_size",
                options.text(Annotation.PROXY_BUFFER_SIZE, settings.text(Setting.PROXY_BUFFER_SIZE))));
        tries("grpc", options, location);
        timeouts("grpc", options, location);
        if (tls) {
            location.add(Statement.simple("grpc_ssl_server_name", "on"));
            location.add(template("grpc_ssl_name", "$fairlead_tls_name"));
        }
        location.add(Statement.simple("grpc_pass", (tls ? "grpcs://" : "grpc://") + upstream));
    }

    private static void tries(String family, Options options, List<Statement> location) {
        List<String> when = options.list(Annotation.PROXY_NEXT_UPSTREAM);
        location.add(
                new Statement.Simple(family + "_next_upstream", when.isEmpty() ? List.of("error", "timeout") : when));
        location.add(Statement.simple(
                family + "_next_upstream_timeout", options.number(Annotation.PROXY_NEXT_UPSTREAM_TIMEOUT, 0) + "s"));
    }

    private void timeouts(String family, Options options, List<Statement> location) {
        for (Timeout timeout : TIMEOUTS) {
            String seconds = options.has(timeout.own)
                    ? Long.toString(options.number(timeout.own, 0))
                    : settings.text(timeout.usual);
            location.add(Statement.simple(family + timeout.name, seconds + "s"));
        }
    }

    /// What requests are sent to from within: they are closed to clients.
    List<Statement> inner() {
        return List.of(
                block("location", List.of("=", "/.fairlead/variables"), variables()),
                block(
                        "location",
                        List.of("=", "/.fairlead/auth"),
                        List.of(
                                Statement.simple("internal"),
                                Statement.simple("access_log", "off"),
                                Statement.simple("header_filter_by_lua_file", place.file("lua/asked.lua")),
                                Statement.simple("proxy_pass_request_body", "off"),
                                Statement.simple("proxy_set_header", "Content-Length", ""),
                                template("proxy_set_header", "X-Original-URL", "$scheme://$http_host$request_uri"),
                                template("proxy_set_header", "X-Original-Method", "$request_method"),
                                template("proxy_set_header", "X-Auth-Request-Redirect", "$request_uri"),
                                template("proxy_set_header", "X-Forwarded-For", "$remote_addr"),
                                template("proxy_method", "$fairlead_auth_method"),
                                template("proxy_pass", "$fairlead_auth"))),
                block(
                        "location",
                        List.of("=", "/.fairlead/mirror"),
                        List.of(
                                Statement.simple("internal"),
                                Statement.simple("access_log", "off"),
                                template("proxy_set_header", "Host", "$host"),
                                template("proxy_pass", "$fairlead_mirror$request_uri"))),
                block(
                        "location",
                        List.of("@fairlead_signin"),
                        List.of(Statement.simple("content_by_lua_file", place.file("lua/signin.lua")))),
                block(
                        "location",
                        List.of("@fairlead_errors"),
                        List.of(
                                Statement.simple("rewrite_by_lua_file", place.file("lua/errors.lua")),
                                template("proxy_set_header", "Host", "$http_host"),
                                Statement.simple("proxy_http_version", "1.1"),
                                Statement.simple("proxy_set_header", "Connection", ""),
                                Statement.simple("proxy_pass", "http://fairlead_http"))));
    }

    static List<Statement> variables() {
        List<Statement> all = new ArrayList<>(List.of(Statement.simple("internal")));
        VARIABLES.forEach(variable -> all.add(template("set", "$fairlead_" + variable, "")));
        return all;
    }
}
