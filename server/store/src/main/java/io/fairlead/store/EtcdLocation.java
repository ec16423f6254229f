package io.fairlead.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where an etcd cluster is: its members, the prefix of our keys, and the files for TLS.
public record EtcdLocation(List<URI> members, String prefix, Tls tls) implements StoreLocation {
    static final String DEFAULT_PREFIX = "/fairlead";

    private static final Set<String> OPTIONS = Set.of("prefix", "ca", "cert", "key");

    /// PEM files: who we trust (the system's authorities if there is none), and who we are (anonymous if there is
    /// none).
    public record Tls(
            @Nullable Path ca,
            @Nullable Path cert,
            @Nullable Path key) {
        public Tls {
            if ((cert == null) != (key == null)) {
                throw new IllegalArgumentException("cert and key: one is of no use without the other");
            }
        }
    }

    public EtcdLocation {
        members = List.copyOf(members);
        members.forEach(EtcdLocation::check);
        if (!prefix.startsWith("/") || prefix.length() < 2 || prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "prefix: \"%s\" must begin with a slash, go on, and not end with one".formatted(prefix));
        }
    }

    private static void check(URI member) {
        boolean http = "http".equals(member.getScheme()) || "https".equals(member.getScheme());
        if (!http || member.getHost() == null || member.getPort() < 0) {
            throw new IllegalArgumentException(
                    "\"%s\" is no member of etcd: http://HOST:PORT or https://HOST:PORT".formatted(member));
        }
    }

    /// Reads `http://a:2379,https://b:2379?prefix=/fairlead&ca=FILE&cert=FILE&key=FILE`.
    static EtcdLocation parse(String text) {
        int question = text.indexOf('?');
        String members = question < 0 ? text : text.substring(0, question);
        Map<String, String> options = options(question < 0 ? "" : text.substring(question + 1));
        Tls tls = new Tls(path(options, "ca"), path(options, "cert"), path(options, "key"));
        return new EtcdLocation(
                Arrays.stream(members.split(",", -1)).map(URI::create).toList(),
                options.getOrDefault("prefix", DEFAULT_PREFIX),
                tls);
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (!OPTIONS.contains(name) || equals < 0) {
                throw new IllegalArgumentException(
                        "\"%s\" is no option of etcd: prefix=, ca=, cert=, key=".formatted(option));
            }
            options.put(name, option.substring(equals + 1));
        }
        return options;
    }

    private static @Nullable Path path(Map<String, String> options, String name) {
        String file = options.get(name);
        return file == null ? null : Path.of(file);
    }

    @Override
    public Store open() {
        return EtcdStore.open(this);
    }
}
