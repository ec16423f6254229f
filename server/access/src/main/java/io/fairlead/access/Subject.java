package io.fairlead.access;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/// Whom a certificate is for: CN is the user, each O a group.
public record Subject(String name, Set<String> groups) {
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String ORGANIZATION = "2.5.4.10";

    public Subject {
        groups = Set.copyOf(groups);
    }

    public static Subject of(String name, String... groups) {
        return new Subject(name, Set.of(groups));
    }

    /// The administrator of a cluster, who may do everything.
    public static Subject administrator() {
        return of("kubernetes-admin", User.MASTERS);
    }

    /// The agent of the node of this name.
    public static Subject node(String name) {
        return of(User.NODE_PREFIX + name, User.NODES);
    }

    boolean isNode() {
        return groups.contains(User.NODES);
    }

    /// True for the programs of the cluster itself, false for people and their programs.
    boolean isPartOfTheCluster() {
        return name.startsWith("system:");
    }

    static Subject of(X509Certificate certificate) {
        String name = "";
        Set<String> groups = new TreeSet<>();
        for (Rdn part : parts(certificate.getSubjectX500Principal())) {
            if (part.getValue() instanceof String value) {
                switch (part.getType()) {
                    case "CN" -> name = value;
                    case "O" -> groups.add(value);
                    default -> {} // other parts of a name say nothing about rights
                }
            }
        }
        return new Subject(name, groups);
    }

    /// As the Name of a certificate, in DER.
    byte[] encoded() {
        List<byte[]> parts = new ArrayList<>();
        new TreeSet<>(groups).forEach(group -> parts.add(part(ORGANIZATION, group)));
        parts.add(part(COMMON_NAME, name));
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private static byte[] part(String type, String value) {
        return Der.set(Der.sequence(Der.objectId(type), Der.text(value)));
    }

    private static List<Rdn> parts(X500Principal name) {
        try {
            return new LdapName(name.getName(X500Principal.RFC2253)).getRdns();
        } catch (InvalidNameException e) {
            throw new AccessException("the subject of a certificate cannot be read", e);
        }
    }
}
