package io.fairlead.client;

import io.fairlead.api.ParseException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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

    /// Begins a conversation with no server, and so loads and warms what a real one takes.
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

    static Optional<SSLContext> of(ClusterAccess.Tls tls) {
        return of(tls, ClusterAccess.Way.DIRECT);
    }

    /// Nothing where the texts say nothing: then the JVM's own trust counts.
    static Optional<SSLContext> of(ClusterAccess.Tls tls, ClusterAccess.Way way) {
        if (tls.isEmpty() && !way.insecure() && way.serverName().isEmpty()) {
            return Optional.empty();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys(tls).map(key -> new KeyManager[] {key}).orElse(null),
                    way.insecure()
                            ? new TrustManager[] {new AnyServer()}
                            : trust(tls)
                                    .map(TrustManagerFactory::getTrustManagers)
                                    .orElse(null),
                    null);
            return Optional.of(way.serverName().isEmpty() ? context : ServerNameContext.of(context, way.serverName()));
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new ParseException("certificates for the API server: " + e.getMessage(), e);
        }
    }

    private static Optional<TrustManagerFactory> trust(ClusterAccess.Tls tls)
            throws GeneralSecurityException, IOException {
        if (tls.certificateAuthority().isEmpty()) {
            return Optional.empty();
        }
        KeyStore store = emptyStore();
        List<X509Certificate> authorities = certificates("certificate-authority", tls.certificateAuthority());
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
                : Optional.of(
                        new ClientKey(PemKey.read(tls.key()), certificates("client-certificate", tls.certificate())));
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static List<X509Certificate> certificates(String field, String pem) throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
        List<X509Certificate> certificates = generate(field, bytes);
        if (certificates.isEmpty()) {
            throw new CertificateException(field + ": there is no certificate in it");
        }
        return certificates;
    }

    private static List<X509Certificate> generate(String field, InputStream pem) throws GeneralSecurityException {
        try {
            return CertificateFactory.getInstance("X.509").generateCertificates(pem).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new CertificateException("%s: %s".formatted(field, e.getMessage()), e);
        }
    }
}
