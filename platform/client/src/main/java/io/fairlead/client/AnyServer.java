package io.fairlead.client;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Takes every server for the one we want, because the kubeconfig says `insecure-skip-tls-verify`.
final class AnyServer extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {
        throw refused();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine) {
        throw refused();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw refused();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    private static IllegalStateException refused() {
        return new IllegalStateException("no client is known by it");
    }
}
