package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.simple;
import static io.fairlead.routes.Statement.template;

import io.fairlead.api.Protocol;
import java.util.ArrayList;
import java.util.List;

/// The configuration of nginx: one server for all hosts, one location for each profile. Hosts, paths and
/// targets are not in it; the Lua is fed them.
public record NginxConfiguration(
        Place place, Settings settings, List<Profile> profiles, List<Passthrough> passthroughs) {
    /// Of the shared memory that holds the Feed, in megabytes.
    private static final int MEMORY = 128;

    private static final String LOG_FORMAT = "{\"time\":\"$time_iso8601\",\"client\":\"$remote_addr\","
            + "\"method\":\"$request_method\",\"host\":\"$host\",\"path\":\"$uri\",\"protocol\":\"$server_protocol\","
            + "\"status\":$status,\"bytes\":$body_bytes_sent,\"seconds\":$request_time,"
            + "\"ingress\":\"$fairlead_ingress\",\"service\":\"$fairlead_service\",\"target\":\"$upstream_addr\","
            + "\"target_seconds\":\"$upstream_response_time\",\"agent\":\"$http_user_agent\",\"id\":\"$request_id\"}";

    public NginxConfiguration {
        profiles = List.copyOf(profiles);
        passthroughs = List.copyOf(passthroughs);
    }

    /// The text, whose first line names it: what [#generation] says.
    public String text() {
        return "# generation %s%n%s".formatted(generation(), NginxText.format(tree(generation())));
    }

    /// A short name that changes with the configuration.
    public String generation() {
        return Digests.of(NginxText.format(tree("")));
    }

    private List<Statement> tree(String generation) {
        List<Statement> main = new ArrayList<>();
        main.add(simple("load_module", place.modules() + "/ndk_http_module.so"));
        main.add(simple("load_module", place.modules() + "/ngx_http_lua_module.so"));
        if (!passthroughs.isEmpty()) {
            main.add(simple("load_module", place.modules() + "/ngx_stream_module.so"));
        }
        if (!place.user().isEmpty()) {
            main.add(simple("user", place.user()));
        }
        main.add(simple("daemon", "off"));
        main.add(simple("pid", place.file("nginx.pid")));
        main.add(simple("error_log", "stderr", settings.text(Setting.ERROR_LOG_LEVEL)));
        main.add(simple("worker_processes", settings.text(Setting.WORKER_PROCESSES)));
        main.add(simple("worker_shutdown_timeout", settings.text(Setting.WORKER_SHUTDOWN_TIMEOUT)));
        main.add(block(
                "events",
                List.of(),
                List.of(
                        simple("worker_connections", settings.text(Setting.MAX_WORKER_CONNECTIONS)),
                        simple("multi_accept", "on"))));
        main.add(block("http", List.of(), http(generation)));
        if (!passthroughs.isEmpty()) {
            main.add(block(
                    "stream", List.of(), passthroughs.stream().map(this::stream).toList()));
        }
        return main;
    }

    private List<Statement> http(String generation) {
        List<Statement> http = new ArrayList<>();
        http.add(simple("lua_package_path", place.file("lua/?.lua") + ";;"));
        http.add(simple("lua_shared_dict", "fairlead", MEMORY + "m"));
        http.add(simple("lua_shared_dict", "fairlead_counts", "16m"));
        http.add(simple("lua_shared_dict", "fairlead_limits", "16m"));
        http.add(simple("lua_regex_match_limit", "100000"));
        http.add(simple("lua_regex_cache_max_entries", "8192"));
        http.add(simple("init_by_lua_file", place.file("lua/init.lua")));
        http.add(simple("init_worker_by_lua_file", place.file("lua/worker.lua")));
        temporaryFiles(http);
        logs(http);
        clients(http);
        http.add(block(
                "map",
                List.of("$fairlead_unlogged", "$fairlead_logged"),
                List.of(simple("", "1"), simple("default", "0"))));
        http.add(block(
                "map",
                List.of("$http_upgrade", "$fairlead_connection"),
                List.of(simple("default", "upgrade"), simple("", ""))));
        boolean trusted = settings.flag(Setting.USE_FORWARDED_HEADERS);
        http.add(block(
                "map",
                List.of("$http_x_forwarded_proto", "$fairlead_scheme"),
                trusted
                        ? List.of(template("default", "$http_x_forwarded_proto"), template("", "$scheme"))
                        : List.of(template("default", "$scheme"))));
        http.add(block(
                "map",
                List.of("$https", "$fairlead_hsts"),
                List.of(simple("on", settings.flag(Setting.HSTS) ? hsts() : ""), simple("default", ""))));
        http.add(upstream("fairlead_http", true));
        http.add(upstream("fairlead_grpc", true));
        http.add(upstream("fairlead_tls", false));
        http.add(block("server", List.of(), server()));
        http.add(block("server", List.of(), control(generation)));
        return http;
    }

    private String hsts() {
        return "max-age=" + settings.text(Setting.HSTS_MAX_AGE)
                + (settings.flag(Setting.HSTS_INCLUDE_SUBDOMAINS) ? "; includeSubDomains" : "")
                + (settings.flag(Setting.HSTS_PRELOAD) ? "; preload" : "");
    }

    private void temporaryFiles(List<Statement> http) {
        http.add(simple("client_body_temp_path", place.file("temp/body")));
        http.add(simple("proxy_temp_path", place.file("temp/proxy")));
        http.add(simple("fastcgi_temp_path", place.file("temp/fastcgi")));
        http.add(simple("uwsgi_temp_path", place.file("temp/uwsgi")));
        http.add(simple("scgi_temp_path", place.file("temp/scgi")));
    }

    private void logs(List<Statement> http) {
        http.add(template("log_format", "fairlead", "escape=json", LOG_FORMAT));
        http.add(
                settings.flag(Setting.DISABLE_ACCESS_LOG)
                        ? simple("access_log", "off")
                        : template(
                                "access_log",
                                place.file("access.log"),
                                "fairlead",
                                "buffer=64k",
                                "flush=1s",
                                "if=$fairlead_logged"));
    }

    private void clients(List<Statement> http) {
        http.add(simple("default_type", "application/octet-stream"));
        http.add(simple("uninitialized_variable_warn", "off"));
        http.add(simple("server_tokens", settings.flag(Setting.SERVER_TOKENS) ? "on" : "off"));
        http.add(simple("sendfile", "on"));
        http.add(simple("tcp_nopush", "on"));
        http.add(simple("tcp_nodelay", "on"));
        http.add(simple("gzip", settings.flag(Setting.USE_GZIP) ? "on" : "off"));
        http.add(simple("keepalive_timeout", settings.text(Setting.KEEP_ALIVE) + "s"));
        http.add(simple("keepalive_requests", settings.text(Setting.KEEP_ALIVE_REQUESTS)));
        String[] buffers = settings.text(Setting.LARGE_CLIENT_HEADER_BUFFERS).split(" ", -1);
        http.add(simple("large_client_header_buffers", buffers[0], buffers[1]));
        http.add(simple("underscores_in_headers", "off"));
        if (!place.resolvers().isEmpty()) {
            http.add(simple("resolver", place.resolvers().toArray(String[]::new)));
            http.add(simple("resolver_timeout", "5s"));
        }
        boolean proxied = settings.flag(Setting.USE_PROXY_PROTOCOL);
        if (proxied || settings.flag(Setting.USE_FORWARDED_HEADERS)) {
            settings.list(Setting.PROXY_REAL_IP_CIDR).forEach(range -> http.add(simple("set_real_ip_from", range)));
            http.add(simple("real_ip_header", proxied ? "proxy_protocol" : "X-Forwarded-For"));
            http.add(simple("real_ip_recursive", "on"));
        }
    }

    private Statement upstream(String name, boolean kept) {
        List<Statement> body = new ArrayList<>();
        body.add(simple("server", "0.0.0.1:1"));
        body.add(simple("balancer_by_lua_file", place.file("lua/balancer.lua")));
        if (kept) {
            body.add(simple("keepalive", settings.text(Setting.UPSTREAM_KEEPALIVE_CONNECTIONS)));
            body.add(simple("keepalive_timeout", settings.text(Setting.UPSTREAM_KEEPALIVE_TIMEOUT) + "s"));
            body.add(simple("keepalive_requests", "1000000"));
        }
        return block("upstream", List.of(name), body);
    }

    private List<Statement> server() {
        List<Statement> server = new ArrayList<>(listeners());
        server.add(simple("server_name", "_"));
        server.add(simple("ssl_certificate", place.file("default.pem")));
        server.add(simple("ssl_certificate_key", place.file("default.pem")));
        server.add(simple("ssl_certificate_by_lua_file", place.file("lua/certificate.lua")));
        server.add(simple("ssl_protocols", settings.list(Setting.SSL_PROTOCOLS).toArray(String[]::new)));
        server.add(simple("ssl_ciphers", settings.text(Setting.SSL_CIPHERS)));
        server.add(simple("ssl_prefer_server_ciphers", "off"));
        server.add(simple("ssl_session_cache", "shared:fairlead_tls:10m"));
        server.add(simple("ssl_session_timeout", "10m"));
        server.add(simple("ssl_session_tickets", "off"));
        // An empty value is no header.
        server.add(template("add_header", "Strict-Transport-Security", "$fairlead_hsts", "always"));
        Locations locations = new Locations(place, settings);
        server.add(block("location", List.of("/"), locations.first()));
        server.add(block("location", List.of("@plain"), locations.of(Profile.PLAIN)));
        profiles.stream()
                .filter(profile -> !profile.equals(Profile.PLAIN))
                .sorted()
                .forEach(
                        profile -> server.add(block("location", List.of("@" + profile.name()), locations.of(profile))));
        server.addAll(locations.inner());
        return server;
    }

    private List<Statement> listeners() {
        List<String> common = settings.flag(Setting.USE_PROXY_PROTOCOL)
                ? List.of("default_server", "backlog=4096", "proxy_protocol")
                : List.of("default_server", "backlog=4096");
        List<String> tls = new ArrayList<>(common);
        tls.add("ssl");
        if (settings.flag(Setting.USE_HTTP2)) {
            tls.add("http2");
        }
        List<Statement> listeners = new ArrayList<>();
        for (String host : List.of("", "[::]:")) {
            if (place.httpPort() > 0) {
                listeners.add(listen(host + place.httpPort(), common));
            }
            if (place.httpsPort() > 0) {
                listeners.add(listen(host + place.httpsPort(), tls));
            }
        }
        return listeners;
    }

    private static Statement listen(String address, List<String> more) {
        List<String> words = new ArrayList<>(List.of(address));
        words.addAll(more);
        return new Statement.Simple("listen", words);
    }

    private List<Statement> control(String generation) {
        return List.of(
                simple("listen", "unix:" + place.controlSocket()),
                simple("access_log", "off"),
                simple("client_max_body_size", "0"),
                simple("client_body_buffer_size", "8m"),
                block(
                        "location",
                        List.of("=", "/feed"),
                        List.of(simple("content_by_lua_file", place.file("lua/feed.lua")))),
                block(
                        "location",
                        List.of("=", "/counts"),
                        List.of(simple("content_by_lua_file", place.file("lua/tell_counts.lua")))),
                block("location", List.of("=", "/connections"), List.of(simple("stub_status"))),
                block(
                        "location",
                        List.of("=", "/generation"),
                        List.of(simple("default_type", "text/plain"), simple("return", "200", generation))));
    }

    private Statement stream(Passthrough passthrough) {
        List<String> listen = new ArrayList<>(List.of(Integer.toString(passthrough.port())));
        if (passthrough.protocol() == Protocol.UDP) {
            listen.add("udp");
        } else if (passthrough.decodes()) {
            listen.add("proxy_protocol");
        }
        List<Statement> body = new ArrayList<>();
        body.add(new Statement.Simple("listen", listen));
        body.add(simple("proxy_pass", passthrough.target()));
        body.add(simple("proxy_connect_timeout", settings.text(Setting.PROXY_CONNECT_TIMEOUT) + "s"));
        body.add(simple("proxy_timeout", "600s"));
        if (passthrough.encodes()) {
            body.add(simple("proxy_protocol", "on"));
        }
        return block("server", List.of(), body);
    }
}
