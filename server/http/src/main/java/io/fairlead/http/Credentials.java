package io.fairlead.http;

import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/// What a request shows of its sender: the certificate of its connection, and the bearer token of its header.
record Credentials(Optional<SSLSession> session, Optional<X509Certificate> certificate, Optional<String> token) {
    static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty(), Optional.empty());

    static Credentials of(Request request) {
        Optional<String> token = token(request);
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                ? new Credentials(Optional.ofNullable(tls.sslSession()), certificate(tls), token)
                : new Credentials(Optional.empty(), Optional.empty(), token);
    }

    private static Optional<X509Certificate> certificate(EndPoint.SslSessionData tls) {
        return tls.peerCertificates() != null && tls.peerCertificates().length > 0
                ? Optional.of(tls.peerCertificates()[0])
                : Optional.empty();
    }

    private static Optional<String> token(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? Optional.of(header.substring(7).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }
}
