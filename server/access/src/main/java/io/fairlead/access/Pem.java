package io.fairlead.access;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// Keys and certificates as text (RFC 7468).
public final class Pem {
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Pem() {}

    public static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new AccessException("a certificate cannot be written", e);
        }
    }

    /// As PKCS #8, which every client reads.
    public static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    static String of(PublicKey key) {
        return block("PUBLIC KEY", key.getEncoded());
    }

    /// The first certificate of the text; `what` says in an error where it came from.
    static X509Certificate certificate(String text, String what) {
        try {
            var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
        } catch (GeneralSecurityException e) {
            throw new AccessException(what + " holds no certificate", e);
        }
    }

    /// A certificate in DER.
    static X509Certificate certificate(byte[] der) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new AccessException("these bytes are no certificate", e);
        }
    }

    static PrivateKey privateKey(String text, String what) {
        for (String algorithm : List.of("EC", "RSA")) {
            try {
                byte[] body = body(text, "PRIVATE KEY");
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(body));
            } catch (GeneralSecurityException | IllegalArgumentException _) {
                // Not this one. The reason is not passed on: it might quote the key.
            }
        }
        throw new AccessException(what + " holds no EC or RSA key in PKCS #8 (BEGIN PRIVATE KEY)");
    }

    static PublicKey publicKey(String text, String what) {
        try {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(body(text, "PUBLIC KEY")));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new AccessException(what + " holds no EC public key (BEGIN PUBLIC KEY)", e);
        }
    }

    private static String block(String label, byte[] bytes) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, LINES.encodeToString(bytes));
    }

    private static byte[] body(String text, String label) {
        String begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----");
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no block " + label);
        }
        return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    }
}
