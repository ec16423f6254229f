package io.fairlead.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// The PEM texts of a [ClusterAccess] as an SSLContext.
final class TlsContext {
    private static final char[] NO_PASSWORD = {};

    private TlsContext() {}

    /// Begins a conversation with nobody, and so loads and warms what a real one takes.
    static void prepare() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            SSLEngine engine = context.createSSLEngine("localhost", 0);
            engine.setUseClientMode(true);
            engine.wrap(
                    ByteBuffer.allocate(0),
                    ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
            HttpClient.newBuilder().sslContext(context).build().close();
        } catch (GeneralSecurityException | IOException _) {
            // the first real connection will say what is wrong
        }
    }

    /// Nothing where the texts say nothing: then the JVM's own trust counts.
    static Optional<SSLContext> of(ClusterAccess.Tls tls) {
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys(tls).map(key -> new KeyManager[] {key}).orElse(null),
                    trust(tls).map(TrustManagerFactory::getTrustManagers).orElse(null),
                    null);
            return Optional.of(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("certificates for the API server: " + e.getMessage(), e);
        }
    }

    private static Optional<TrustManagerFactory> trust(ClusterAccess.Tls tls)
            throws GeneralSecurityException, IOException {
        if (tls.certificateAuthority().isEmpty()) {
            return Optional.empty();
        }
        KeyStore store = emptyStore();
        List<X509Certificate> authorities = certificates(tls.certificateAuthority());
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return Optional.of(trust);
    }

    private static Optional<ClientKey> keys(ClusterAccess.Tls tls) throws GeneralSecurityException {
        return tls.certificate().isEmpty()
                ? Optional.empty()
                : Optional.of(new ClientKey(privateKey(tls.key()), certificates(tls.certificate())));
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        return CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    /// PKCS #8 only: the older forms of a key need a library that a client has no other use for.
    private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        if (!pem.contains("-----BEGIN PRIVATE KEY-----")) {
            throw new InvalidKeySpecException("client-key: only PKCS #8 (BEGIN PRIVATE KEY) can be read");
        }
        String base64 = pem.replaceAll("-----[A-Z ]+-----", "");
        PKCS8EncodedKeySpec key =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(key);
            } catch (InvalidKeySpecException _) {
                // of another algorithm: ask the next
            }
        }
        throw new InvalidKeySpecException("client-key: neither EC nor RSA nor Ed25519");
    }
}
