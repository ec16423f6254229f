package io.fairlead.routes;

import static io.fairlead.routes.Statement.block;
import static io.fairlead.routes.Statement.simple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The configuration of an nginx without Lua: a server for each host, upstreams that are addresses of Services, and
/// certificates in files. All of it is structure, so each change of a rule or a certificate is a reload; endpoints are
/// left to the node's proxy.
///
/// @param files what must stand beside it, by name: certificates with their keys
/// @param passwords the files of passwords, by name
public record VipConfiguration(
        Frame frame, List<Statement> servers, SortedMap<String, String> files, SortedMap<String, String> passwords)
        implements Configuration {
    /// What an Ingress cannot ask of an nginx without Lua.
    public static final Set<Annotation> NEED_LUA = Set.of(
            Annotation.AFFINITY,
            Annotation.CANARY,
            Annotation.AUTH_URL,
            Annotation.AUTH_TLS_SECRET,
            Annotation.ENABLE_CORS,
            Annotation.LIMIT_RPS,
            Annotation.LIMIT_RPM,
            Annotation.LIMIT_CONNECTIONS,
            Annotation.UPSTREAM_HASH_BY,
            Annotation.LOAD_BALANCE,
            Annotation.CUSTOM_HTTP_ERRORS,
            Annotation.DEFAULT_BACKEND,
            Annotation.MIRROR_TARGET);

    public VipConfiguration {
        servers = List.copyOf(servers);
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        passwords = Collections.unmodifiableSortedMap(new TreeMap<>(passwords));
    }

    /// Where it stands, and what holds for all.
    public record Given(
            NginxLayout place, Settings settings, List<Passthrough> passthroughs, Optional<Certificate> certificate) {
        public Given {
            passthroughs = List.copyOf(passthroughs);
        }
    }

    public static VipConfiguration of(RouteTable table, Given given) {
        Frame frame = new Frame(given.place, given.settings, given.passthroughs);
        SortedMap<String, String> files = new TreeMap<>();
        List<VipServers> both = Stream.of(false, true)
                .filter(frame::serves)
                .map(secure -> new VipServers(table, frame, secure))
                .toList();
        List<Statement> all = new ArrayList<>(both.getFirst().upstreams());
        String usual = file(given.place, given.certificate, files, given.place.file("default.pem"));
        TreeSet<String> hosts = new TreeSet<>(table.certificates().keys().toList());
        hosts.addAll(table.hosts().keys().toList());
        hosts.add(IngressEntry.ANY_HOST);
        for (String host : hosts) {
            String certificate = file(given.place, certificate(table, host), files, usual);
            both.forEach(servers -> all.add(servers.server(host, certificate)));
        }
        return new VipConfiguration(frame, all, files, passwords(table));
    }

    private static SortedMap<String, String> passwords(RouteTable table) {
        SortedMap<String, String> passwords = new TreeMap<>();
        table.hosts()
                .values()
                .flatMap(host -> Stream.concat(host.routes().stream(), host.fallback().stream()))
                .map(PathRoute::settled)
                .filter(settled -> !settled.passwords().isEmpty())
                .forEach(settled -> passwords.put(settled.passwordFile(), settled.passwords()));
        return passwords;
    }

    private static Optional<Certificate> certificate(RouteTable table, String host) {
        int dot = host.indexOf('.');
        return table.certificates()
                .find(host)
                .or(() -> dot < 0 ? Optional.empty() : table.certificates().find("*" + host.substring(dot)));
    }

    private static String file(
            NginxLayout place, Optional<Certificate> certificate, SortedMap<String, String> files, String otherwise) {
        if (certificate.isEmpty()) {
            return otherwise;
        }
        String pem = certificate.get().chain().strip() + "\n"
                + certificate.get().key().strip() + "\n";
        String name = "tls-" + Digests.of(pem) + ".pem";
        files.put(name, pem);
        return place.file(name);
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
        List<Statement> http = new ArrayList<>();
        frame.common(http);
        http.add(simple("server_names_hash_max_size", "65536"));
        http.add(simple("server_names_hash_bucket_size", "512"));
        // The one way to write a dollar that begins no variable.
        http.add(block("geo", List.of("$fairlead_dollar"), List.of(new Statement.Simple("default", List.of("$")))));
        http.addAll(servers);
        http.add(block(
                "server",
                List.of(),
                List.of(
                        simple("listen", "unix:" + frame.place().controlSocket()),
                        simple("access_log", "off"),
                        block("location", List.of("=", "/connections"), List.of(simple("stub_status"))),
                        block(
                                "location",
                                List.of("=", "/generation"),
                                List.of(simple("default_type", "text/plain"), simple("return", "200", generation))))));
        return frame.tree(List.of(), http);
    }
}
