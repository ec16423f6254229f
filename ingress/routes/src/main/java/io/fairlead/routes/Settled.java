package io.fairlead.routes;

import static io.fairlead.routes.Annotation.AUTH_REALM;
import static io.fairlead.routes.Annotation.AUTH_SECRET;
import static io.fairlead.routes.Annotation.AUTH_SECRET_TYPE;
import static io.fairlead.routes.Annotation.AUTH_TLS_SECRET;
import static io.fairlead.routes.Annotation.AUTH_TYPE;
import static io.fairlead.routes.Annotation.CUSTOM_HEADERS;

import io.fairlead.api.ConfigMap;
import io.fairlead.api.Ingress;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Secret;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The options of an Ingress together with what stands in the Secrets and ConfigMaps that they name.
///
/// @param passwords the lines of a password file; empty for none
/// @param authorities who signs the certificates of clients, as PEM; empty for none
/// @param headers further headers of every answer
public record Settled(Options options, String passwords, String authorities, Map<String, String> headers) {
    static final Settled PLAIN = new Settled(Options.NONE, "", "", Map.of());

    /// An object that an Ingress needs beside Services.
    record Need(Kind kind, NamespacedName name) {}

    /// What was settled, what it took, and why it could not be.
    record Outcome(Settled settled, Set<Need> needs, List<String> problems) {}

    static Outcome of(Snapshot snapshot, Ingress ingress, Options options) {
        Set<Need> needs = new HashSet<>();
        List<String> problems = new ArrayList<>();
        Settled settled = new Settled(
                options,
                passwords(snapshot, ingress, options, needs, problems),
                authorities(snapshot, ingress, options, needs, problems),
                headers(snapshot, ingress, options, needs, problems));
        return new Outcome(settled, Set.copyOf(needs), List.copyOf(problems));
    }

    /// The file that nginx reads for the passwords; empty for none.
    public String passwordFile() {
        return passwords.isEmpty() ? "" : Digests.of(passwords);
    }

    String realm() {
        return options.text(AUTH_REALM, "Authentication Required");
    }

    private static String passwords(
            Snapshot snapshot, Ingress ingress, Options options, Set<Need> needs, List<String> problems) {
        if (!options.has(AUTH_TYPE)) {
            return "";
        }
        Optional<Secret> secret = secret(snapshot, ingress, options, AUTH_SECRET, needs);
        String lines = secret.map(
                        found -> options.text(AUTH_SECRET_TYPE, "auth-file").equals("auth-map")
                                ? map(found)
                                : found.find("auth").orElse(""))
                .orElse("");
        if (lines.isBlank()) {
            problems.add("auth-secret: there is no Secret of that name with passwords");
        }
        return lines;
    }

    private static String map(Secret secret) {
        return secret.texts().entrySet().stream()
                .filter(entry -> !entry.getKey().contains(":"))
                .map(entry -> entry.getKey() + ":" + entry.getValue().strip())
                .filter(line -> line.indexOf('\n') < 0)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String authorities(
            Snapshot snapshot, Ingress ingress, Options options, Set<Need> needs, List<String> problems) {
        if (!options.has(AUTH_TLS_SECRET)) {
            return "";
        }
        String authorities = secret(snapshot, ingress, options, AUTH_TLS_SECRET, needs)
                .flatMap(found -> found.find("ca.crt"))
                .orElse("");
        if (!authorities.contains("-----BEGIN CERTIFICATE-----")) {
            problems.add("auth-tls-secret: there is no Secret of that name with a certificate under ca.crt");
        }
        return authorities;
    }

    private static Map<String, String> headers(
            Snapshot snapshot, Ingress ingress, Options options, Set<Need> needs, List<String> problems) {
        if (!options.has(CUSTOM_HEADERS)) {
            return Map.of();
        }
        NamespacedName name = name(ingress, options.text(CUSTOM_HEADERS, ""));
        needs.add(new Need(Kind.CONFIG_MAP, name));
        Optional<ConfigMap> map = snapshot.configMaps().find(name).filter(found -> allowed(ingress, name));
        if (map.isEmpty()) {
            problems.add("custom-headers: there is no ConfigMap of that name in this namespace");
            return Map.of();
        }
        Map<String, String> headers = new TreeMap<>();
        map.get().values().forEach((header, value) -> {
            if (Grammar.HEADER.read(header).isPresent()
                    && Grammar.VALUE.read(value).isPresent()) {
                headers.put(header, value);
            } else {
                problems.add("custom-headers: \"%s\" is no header".formatted(header));
            }
        });
        return headers;
    }

    private static Optional<Secret> secret(
            Snapshot snapshot, Ingress ingress, Options options, Annotation annotation, Set<Need> needs) {
        NamespacedName name = name(ingress, options.text(annotation, ""));
        needs.add(new Need(Kind.SECRET, name));
        return snapshot.secrets().find(name).filter(_ -> allowed(ingress, name));
    }

    // Who writes an Ingress must not read the Secrets of others by it.
    private static boolean allowed(Ingress ingress, NamespacedName name) {
        return name.namespace().equals(ingress.key().namespace());
    }

    private static NamespacedName name(Ingress ingress, String reference) {
        int slash = reference.indexOf('/');
        return slash < 0
                ? new NamespacedName(ingress.key().namespace(), reference)
                : new NamespacedName(reference.substring(0, slash), reference.substring(slash + 1));
    }

    @Override
    public String toString() {
        return "Settled[" + options + "]";
    }
}
