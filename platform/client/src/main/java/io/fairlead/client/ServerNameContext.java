package io.fairlead.client;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Has every connection ask for, and insist on, one name of the server, whatever address it is reached by.
final class ServerNameContext extends SSLContextSpi {
    private final SSLContext context;
    private final String name;

    private ServerNameContext(SSLContext context, String name) {
        this.context = context;
        this.name = name;
    }

    static SSLContext of(SSLContext context, String name) {
        return new Named(new ServerNameContext(context, name), context);
    }

    private static final class Named extends SSLContext {
        private Named(SSLContextSpi spi, SSLContext context) {
            super(spi, context.getProvider(), context.getProtocol());
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
        return new ServerNameEngine(context.createSSLEngine(name, port), name);
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return engineCreateSSLEngine(null, -1);
    }

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("it was made ready before");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        throw new UnsupportedOperationException("for engines alone");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        throw new UnsupportedOperationException("for engines alone");
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return context.getSupportedSSLParameters();
    }
}
