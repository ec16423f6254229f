package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.simple;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The configuration of nginx: one server for all hosts, one location for each profile. Hosts, paths and
/// targets are not in it; the Lua is fed them.
public record NginxConfiguration(
        NginxLayout place, Settings settings, List<Profile> profiles, List<Passthrough> passthroughs)
        implements Configuration {
    /// Of the shared memory that holds the Feed, in megabytes.
    private static final int MEMORY = 128;

    public NginxConfiguration {
        profiles = List.copyOf(profiles);
        passthroughs = List.copyOf(passthroughs);
    }

    @Override
    public String text() {
        return "# generation %s%n%s".formatted(generation(), NginxText.format(tree(generation())));
    }

    @Override
    public String generation() {
        return Digests.of(NginxText.format(tree("")));
    }

    private List<Statement> tree(String generation) {
        return frame().tree(List.of("ndk_http_module.so", "ngx_http_lua_module.so"), http(generation));
    }

    private Frame frame() {
        return new Frame(place, settings, passthroughs);
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
        http.add(simple("init_worker_by_lua", "fairlead.worker()"));
        http.add(simple("exit_worker_by_lua_file", place.file("lua/worker_ends.lua")));
        frame().common(http);
        // Empty for a request that has no body, else what no host begins with. HTTP/2 need not tell a length, so there
        // it may have one.
        http.add(block(
                "map",
                List.of("$request_method$http2$http_content_length$http_transfer_encoding", "$fairlead_body"),
                List.of(simple("default", "/"), simple("GET", ""), simple("HEAD", ""))));
        http.add(upstream("fairlead_http", true));
        http.add(upstream("fairlead_grpc", true));
        http.add(upstream("fairlead_tls", false));
        // One for each scheme: what differs between them is then no question of each request.
        Stream.of(false, true)
                .filter(frame()::serves)
                .forEach(secure -> http.add(block("server", List.of(), server(secure))));
        http.add(block("server", List.of(), control(generation)));
        return http;
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

    private List<Statement> server(boolean secure) {
        List<Statement> server = new ArrayList<>(frame().listeners(secure, true));
        server.add(simple("server_name", "_"));
        if (secure) {
            server.addAll(frame().tls(place.file("default.pem")));
            server.add(simple("ssl_certificate_by_lua_file", place.file("lua/certificate.lua")));
        }
        Locations locations = new Locations(place, settings, true, secure);
        server.add(block("location", List.of("/"), locations.first()));
        server.add(Locations.last());
        server.add(block("location", List.of("@plain"), locations.of(Profile.PLAIN)));
        profiles.stream()
                .filter(profile -> !profile.equals(Profile.PLAIN))
                .sorted()
                .forEach(
                        profile -> server.add(block("location", List.of("@" + profile.name()), locations.of(profile))));
        server.addAll(locations.inner());
        return server;
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
                block("location", List.of("=", "/notice"), List.of(simple("content_by_lua", "fairlead.notice()"))),
                block("location", List.of("=", "/connections"), List.of(simple("stub_status"))),
                block(
                        "location",
                        List.of("=", "/generation"),
                        List.of(simple("default_type", "text/plain"), simple("return", "200", generation))));
    }
}
