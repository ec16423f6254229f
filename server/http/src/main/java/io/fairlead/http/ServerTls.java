package io.fairlead.http;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.ServerNames;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The TLS side of the front: shows the server's certificate, and changes it while connections are open.
final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final Duration RENEWAL_PERIOD = Duration.ofHours(12);
    private static final String NO_PASSWORD = "";

    private final Pki pki;
    private final ServerNames names;
    private final AskingFactory factory;
    private Credential shown;

    ServerTls(Pki pki, ServerNames names) {
        this.pki = pki;
        this.names = names;
        this.shown = pki.serverCredential(names);
        this.factory = new AskingFactory(new ClientTrust(pki.authority().certificate()));
        factory.setKeyStore(keyStore(shown));
        factory.setKeyStorePassword(NO_PASSWORD);
        factory.setWantClientAuth(true);
        factory.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    }

    SslContextFactory.Server factory() {
        return factory;
    }

    /// Looks twice a day whether the certificate is due, until interrupted.
    void keepFresh() throws InterruptedException {
        while (true) {
            Thread.sleep(RENEWAL_PERIOD);
            renew();
        }
    }

    /// New connections see the new certificate; those that are open go on.
    void renew() {
        Credential current = pki.serverCredential(names);
        if (current.equals(shown)) {
            return;
        }
        try {
            factory.reload(_ -> factory.setKeyStore(keyStore(current)));
        } catch (Exception e) {
            throw new ApiServerException("the renewed certificate cannot be shown", e);
        }
        shown = current;
        LOG.info(
                "event=certificate-renewed until={}",
                current.certificate().getNotAfter().toInstant());
    }

    static KeyStore keyStore(Credential credential) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD.toCharArray());
            Certificate[] chain = {credential.certificate()};
            store.setKeyEntry("server", credential.key(), NO_PASSWORD.toCharArray(), chain);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new ApiServerException("the server's certificate cannot be used", e);
        }
    }

    private static final class AskingFactory extends SslContextFactory.Server {
        private final ClientTrust trust;

        AskingFactory(ClientTrust trust) {
            this.trust = trust;
        }

        @Override
        protected TrustManager[] getTrustManagers(KeyStore trustStore, Collection<? extends CRL> crls) {
            return new TrustManager[] {trust};
        }
    }

    /// Takes every certificate that a client shows, and leaves it to the [Gate] what it is worth.
    ///
    /// A certificate that is out of date is then answered with a 401 that says so, not with a broken connection.
    private static final class ClientTrust extends X509ExtendedTrustManager {
        private final X509Certificate authority;

        ClientTrust(X509Certificate authority) {
            this.authority = authority;
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[] {authority};
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("a server does not ask servers");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            checkServerTrusted(chain, type);
        }
    }
}
