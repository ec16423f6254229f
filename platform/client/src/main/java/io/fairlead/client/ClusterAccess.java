package io.fairlead.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// Where the API server is, and who we are to it; an empty `token` says nothing about us.
///
/// Where there is a `tokenFile`, the token is in there, and is read anew for each request: the kubelet renews it. Where
/// there is a `plugin`, it is asked who we are.
public record ClusterAccess(
        URI server, String token, Tls tls, String tokenFile, Way way, Optional<CredentialPlugin> plugin) {
    private static final Path POD_FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    public ClusterAccess {
        String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https")) || server.getHost() == null) {
            throw new IllegalArgumentException("server: \"%s\" is no http or https URL with a host".formatted(server));
        }
        if (way.insecure && !tls.certificateAuthority.isEmpty()) {
            throw new IllegalArgumentException(
                    "cluster.insecure-skip-tls-verify: may not be true where there is a certificate-authority");
        }
    }

    public ClusterAccess(URI server, String token, Tls tls, String tokenFile) {
        this(server, token, tls, tokenFile, Way.DIRECT, Optional.empty());
    }

    public ClusterAccess(URI server, String token, Tls tls) {
        this(server, token, tls, "");
    }

    /// What a pod is given to reach the API server of its cluster; nothing outside of one.
    public static Optional<ClusterAccess> ofPod(Map<String, String> environment) {
        return ofPod(environment, POD_FOLDER);
    }

    static Optional<ClusterAccess> ofPod(Map<String, String> environment, Path folder) {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        Path token = folder.resolve("token");
        if (host.isEmpty() || port.isEmpty() || !Files.exists(token)) {
            return Optional.empty();
        }
        URI server = URI.create("https://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port));
        Tls tls = new Tls(read(folder.resolve("ca.crt")), "", "");
        return Optional.of(new ClusterAccess(server, "", tls, token.toString()));
    }

    /// The same at another place.
    public ClusterAccess at(URI elsewhere) {
        return new ClusterAccess(elsewhere, token, tls, tokenFile, way, plugin);
    }

    /// The same, with a plugin to say who we are.
    ClusterAccess asking(CredentialPlugin asked) {
        return new ClusterAccess(server, token, tls, tokenFile, way, Optional.of(asked));
    }

    /// The token to show now; empty where there is none. A file that cannot be read is a failed request: the
    /// program that renews it may be late.
    String bearer() {
        try {
            return tokenFile.isEmpty() ? token : read(Path.of(tokenFile)).strip();
        } catch (UncheckedIOException e) {
            throw new ApiException("no token to show: " + e.getMessage(), e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s: %s".formatted(file, e), e);
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

        boolean isEmpty() {
            return certificateAuthority.isEmpty() && certificate.isEmpty() && key.isEmpty();
        }

        /// For connections that show our certificate and trust the authority alone; nothing where either is missing.
        public Optional<SSLContext> mutual() {
            return certificateAuthority.isEmpty() || certificate.isEmpty() ? Optional.empty() : TlsContext.of(this);
        }
    }

    /// How to get to the server, and how to know it.
    ///
    /// @param insecure whether any server will do
    /// @param serverName what its certificate calls it, where that is not the host of its URL; else empty
    public record Way(boolean insecure, String serverName, Optional<URI> proxy) {
        public static final Way DIRECT = new Way(false, "", Optional.empty());

        public Way {
            proxy.ifPresent(Way::check);
        }

        private static void check(URI proxy) {
            boolean known = List.of("http", "socks5").contains(String.valueOf(proxy.getScheme()));
            if (!known || proxy.getHost() == null || proxy.getUserInfo() != null) {
                throw new IllegalArgumentException(
                        "cluster.proxy-url: must be http://HOST:PORT or socks5://HOST:PORT; https and passwords are not"
                                + " supported");
            }
        }
    }

    @Override
    public String toString() {
        return server.toString(); // the rest is secret
    }
}
