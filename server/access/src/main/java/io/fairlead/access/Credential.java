package io.fairlead.access;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/// A certificate and its key.
public record Credential(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
        return Pem.of(certificate);
    }

    public String keyPem() {
        return Pem.of(key);
    }

    /// True if the key is that of the certificate.
    boolean isPair() {
        return KeyMatch.isPair(certificate.getPublicKey(), key);
    }

    /// True once two thirds of its life are over: time to make a new one, with a third left to be late in.
    public boolean isDueForRenewal(Instant now) {
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        return now.isAfter(end.minus(Duration.between(begin, end).dividedBy(3)));
    }

    @Override
    public String toString() {
        return "credential of " + certificate.getSubjectX500Principal(); // the key is secret
    }
}
