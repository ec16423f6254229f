package io.fairlead.client;

import java.net.URI;
import java.util.Locale;

/// Where the API server is, and who we are to it; an empty `token` says nothing about us.
public record ClusterAccess(URI server, String token, Tls tls) {

    public ClusterAccess {
        String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https")) || server.getHost() == null) {
            throw new IllegalArgumentException("server: \"%s\" is no http or https URL with a host".formatted(server));
        }
    }

    /// Without a name or a certificate: a server on this machine.
    public static ClusterAccess of(URI server) {
        return new ClusterAccess(server, "", Tls.NONE);
    }

    public static ClusterAccess of(URI server, String token) {
        return new ClusterAccess(server, token, Tls.NONE);
    }

    /// PEM texts: whom we trust, and how we prove who we are; each empty where there is none.
    public record Tls(String certificateAuthority, String certificate, String key) {
        public static final Tls NONE = new Tls("", "", "");
    }

    @Override
    public String toString() {
        return server.toString(); // the rest is secret
    }
}
