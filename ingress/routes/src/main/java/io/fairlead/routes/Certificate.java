package io.fairlead.routes;

import io.fairlead.api.Secret;
import java.util.Optional;

/// A chain of certificates and its key, as PEM.
public record Certificate(String chain, String key) {
    /// What a Secret of type `kubernetes.io/tls` has; nothing where that is no PEM.
    public static Optional<Certificate> find(Secret secret) {
        String chain = secret.find("tls.crt").orElse("");
        String key = secret.find("tls.key").orElse("");
        boolean good = chain.contains("-----BEGIN CERTIFICATE-----") && key.contains("PRIVATE KEY-----");
        return good ? Optional.of(new Certificate(chain, key)) : Optional.empty();
    }

    /// The chain alone: the key goes into no log.
    @Override
    public String toString() {
        return "Certificate[" + Digests.of(chain) + "]";
    }
}
