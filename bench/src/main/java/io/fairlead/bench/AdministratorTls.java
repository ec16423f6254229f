package io.fairlead.bench;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// How the administrator of a server comes in: with a certificate, as in the kubeconfig that a server writes.
final class AdministratorTls {
    private static final char[] NO_PASSWORD = {};

    private AdministratorTls() {}

    static SSLSocketFactory sockets(Pki pki) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(pki).getKeyManagers(), trust(pki).getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the administrator's certificate cannot be used", e);
        }
    }

    private static KeyManagerFactory keys(Pki pki) throws GeneralSecurityException, IOException {
        Credential credential = pki.issueClient(Subject.administrator());
        KeyStore store = emptyStore();
        store.setKeyEntry("client", credential.key(), NO_PASSWORD, new Certificate[] {credential.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys;
    }

    private static TrustManagerFactory trust(Pki pki) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setCertificateEntry("authority", pki.authority().certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
