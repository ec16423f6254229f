package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.simple;
import static io.fairlead.routes.Statement.template;

import io.fairlead.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What every configuration of nginx has, with Lua and without: process, logs, listeners, TLS, and the ports that are
/// led on as they are.
record Frame(NginxLayout place, Settings settings, List<Passthrough> passthroughs) {
    private static final String LOG_FORMAT = "{\"time\":\"$time_iso8601\",\"client\":\"$remote_addr\","
            + "\"method\":\"$request_method\",\"host\":\"$host\",\"path\":\"$uri\",\"protocol\":\"$server_protocol\","
            + "\"status\":$status,\"bytes\":$body_bytes_sent,\"seconds\":$request_time,"
            + "\"ingress\":\"$fairlead_ingress\",\"service\":\"$fairlead_service\",\"target\":\"$upstream_addr\","
            + "\"target_seconds\":\"$upstream_response_time\",\"agent\":\"$http_user_agent\",\"id\":\"$request_id\"}";

    /// What use-gzip makes smaller, beside HTML.
    private static final List<String> SMALLER = List.of(
            "application/javascript",
            "application/json",
            "application/xml",
            "image/svg+xml",
            "text/css",
            "text/javascript",
            "text/plain",
            "text/xml");

    Frame {
        passthroughs = List.copyOf(passthroughs);
    }

    /// The tree around what stands in `http`.
    List<Statement> tree(List<String> modules, List<Statement> http) {
        List<Statement> main = new ArrayList<>();
        modules.forEach(module -> main.add(simple("load_module", place.modules() + "/" + module)));
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
                // Each worker takes one connection at a time, so that all get their share.
                List.of(simple("worker_connections", settings.text(Setting.MAX_WORKER_CONNECTIONS)))));
        main.add(block("http", List.of(), http));
        if (!passthroughs.isEmpty()) {
            main.add(block(
                    "stream", List.of(), passthroughs.stream().map(this::stream).toList()));
        }
        return main;
    }

    /// What holds for every server of `http`.
    void common(List<Statement> http) {
        temporaryFiles(http);
        logs(http);
        clients(http);
        maps(http);
    }

    private void maps(List<Statement> http) {
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
    }

    /// The header that asks clients to stay with TLS.
    Optional<Statement> hsts() {
        if (!settings.flag(Setting.HSTS)) {
            return Optional.empty();
        }
        String value = "max-age=" + settings.text(Setting.HSTS_MAX_AGE)
                + (settings.flag(Setting.HSTS_INCLUDE_SUBDOMAINS) ? "; includeSubDomains" : "")
                + (settings.flag(Setting.HSTS_PRELOAD) ? "; preload" : "");
        return Optional.of(simple("add_header", "Strict-Transport-Security", value, "always"));
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
        http.add(simple("gzip_proxied", "any"));
        http.add(simple("gzip_min_length", "256"));
        http.add(new Statement.Simple("gzip_types", SMALLER));
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

    /// How TLS is spoken; `certificate` is the file for names without one of their own.
    List<Statement> tls(String certificate) {
        List<Statement> server = new ArrayList<>();
        server.add(simple("ssl_certificate", certificate));
        server.add(simple("ssl_certificate_key", certificate));
        server.add(simple("ssl_protocols", settings.list(Setting.SSL_PROTOCOLS).toArray(String[]::new)));
        server.add(simple("ssl_ciphers", settings.text(Setting.SSL_CIPHERS)));
        server.add(simple("ssl_prefer_server_ciphers", "off"));
        server.add(simple("ssl_session_cache", "shared:fairlead_tls:10m"));
        server.add(simple("ssl_session_timeout", "10m"));
        server.add(simple("ssl_session_tickets", "off"));
        hsts().ifPresent(server::add);
        return server;
    }

    /// True if there is a port for it.
    boolean serves(boolean secure) {
        return (secure ? place.httpsPort() : place.httpPort()) > 0;
    }

    /// The ports of a server; `first` is the one for hosts that no other names.
    List<Statement> listeners(boolean secure, boolean first) {
        List<String> words = new ArrayList<>();
        if (settings.flag(Setting.USE_PROXY_PROTOCOL)) {
            words.add("proxy_protocol");
        }
        if (secure) {
            words.add("ssl");
        }
        if (secure && settings.flag(Setting.USE_HTTP2)) {
            words.add("http2");
        }
        int port = secure ? place.httpsPort() : place.httpPort();
        return List.of(listen(Integer.toString(port), first, words), listen("[::]:" + port, first, words));
    }

    private static Statement listen(String address, boolean first, List<String> more) {
        List<String> words = new ArrayList<>(List.of(address));
        if (first) {
            words.addAll(List.of("default_server", "backlog=4096"));
        }
        words.addAll(more);
        return new Statement.Simple("listen", words);
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
        if (passthrough.decodes()) {
            settings.list(Setting.PROXY_REAL_IP_CIDR).forEach(range -> body.add(simple("set_real_ip_from", range)));
        }
        body.add(simple("proxy_pass", passthrough.target()));
        body.add(simple("proxy_connect_timeout", settings.text(Setting.PROXY_CONNECT_TIMEOUT) + "s"));
        body.add(simple("proxy_timeout", "600s"));
        if (passthrough.encodes()) {
            body.add(simple("proxy_protocol", "on"));
        }
        return block("server", List.of(), body);
    }
}
