package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a [CredentialPlugin] answered: a token, or a certificate with its key, or both; and until when they count.
record PluginCredential(String token, String certificate, String key, Optional<Instant> expires) {
    static final PluginCredential NONE = new PluginCredential("", "", "", Optional.empty());

    /// From what the program printed.
    static PluginCredential parse(String apiVersion, byte[] printed) {
        JsonNode answer = Json.parse(printed);
        if (!Json.text(answer, "kind").equals("ExecCredential")
                || !Json.text(answer, "apiVersion").equals(apiVersion)) {
            throw new ParseException("printed %s %s instead of %s ExecCredential"
                    .formatted(Json.text(answer, "apiVersion"), Json.text(answer, "kind"), apiVersion));
        }
        JsonNode status = answer.path("status");
        PluginCredential credential = new PluginCredential(
                Json.text(status, "token"),
                Json.text(status, "clientCertificateData"),
                Json.text(status, "clientKeyData"),
                expires(Json.text(status, "expirationTimestamp")));
        if (credential.certificate.isEmpty() != credential.key.isEmpty()) {
            throw new ParseException("status: clientCertificateData and clientKeyData come together or not at all");
        }
        if (credential.token.isEmpty() && credential.certificate.isEmpty()) {
            throw new ParseException("status: there is neither a token nor a clientCertificateData");
        }
        return credential;
    }

    private static Optional<Instant> expires(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            throw new ParseException("status.expirationTimestamp: \"%s\" is no time".formatted(text), e);
        }
    }

    boolean countsAt(Instant now) {
        return expires.isEmpty() || now.isBefore(expires.get());
    }

    /// The same with this certificate, where there is one.
    ClusterAccess.Tls over(ClusterAccess.Tls tls) {
        return certificate.isEmpty() ? tls : new ClusterAccess.Tls(tls.certificateAuthority(), certificate, key);
    }

    @Override
    public String toString() {
        return "a credential until " + expires; // the rest is secret
    }
}
