package io.fairlead.access;

import io.fairlead.api.Ip;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Under which names and addresses a server is known: the subject alternative names of its certificate.
public record ServerNames(Set<String> names, Set<Ip> addresses) {
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;
    // By these a pod knows the API server.
    private static final List<String> OF_THE_SERVICE = List.of(
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
            "localhost");

    public ServerNames {
        names = Set.copyOf(names);
        addresses = Set.copyOf(addresses);
    }

    /// Those of an API server, and its names and addresses on this machine.
    public static ServerNames ofApiServer(Collection<String> hostNames, Collection<Ip> addresses) {
        Set<String> names = new TreeSet<>(OF_THE_SERVICE);
        names.addAll(hostNames);
        Set<Ip> all = new TreeSet<>(addresses);
        all.addAll(List.of(Ip.parse("127.0.0.1"), Ip.parse("::1")));
        return new ServerNames(names, all);
    }

    /// True if the certificate names all of these.
    boolean areIn(X509Certificate certificate) {
        Set<String> there = new TreeSet<>();
        try {
            Optional.ofNullable(certificate.getSubjectAlternativeNames())
                    .orElse(List.of())
                    .forEach(name -> there.add(canonical(name)));
        } catch (CertificateParsingException _) {
            return false;
        }
        return there.containsAll(names)
                && there.containsAll(addresses.stream().map(Ip::toString).toList());
    }

    /// The JDK writes IPv6 addresses in a form of its own.
    private static String canonical(List<?> name) {
        String text = name.getLast().toString();
        return name.getFirst().equals(ADDRESS) ? Ip.find(text).map(Ip::toString).orElse(text) : text;
    }

    /// As the extension of a certificate, in DER.
    byte[] encoded() {
        List<byte[]> all = new ArrayList<>();
        new TreeSet<>(names).forEach(name -> all.add(Der.implicit(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII))));
        new TreeSet<>(addresses).forEach(ip -> all.add(Der.implicit(ADDRESS, ip.bytes())));
        return Der.sequence(all.toArray(byte[][]::new));
    }
}
