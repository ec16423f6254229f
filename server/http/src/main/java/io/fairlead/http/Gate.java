package io.fairlead.http;

import io.fairlead.access.AccessRequest;
import io.fairlead.access.Authenticator;
import io.fairlead.access.Rbac;
import io.fairlead.access.User;
import io.fairlead.objects.ApiException;
import io.fairlead.objects.Rights;
import io.fairlead.objects.RoleGuard;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/// Where every request passes: who sends it, and may he do that?
final class Gate {
    private static final User EVERYBODY = User.authenticated("system:unsecured", "", Set.of(User.MASTERS));
    private static final String KNOWN = "io.fairlead.user";

    // Nothing where the server is open to all.
    private final Optional<Authenticator> authenticator;
    private final Rights rights;
    private final NodeRestriction nodes;

    Gate(Optional<Authenticator> authenticator, Rights rights, NodeRestriction nodes) {
        this.authenticator = authenticator;
        this.rights = rights;
        this.nodes = nodes;
    }

    /// A certificate counts before a token; who shows neither is anonymous, and who shows a bad one is refused.
    User authenticate(Request request, Instant now) {
        if (authenticator.isEmpty()) {
            return EVERYBODY;
        }
        Optional<SSLSession> session = session(request);
        Optional<User> byCertificate =
                session.flatMap(s -> certificate(request).flatMap(shown -> byCertificate(s, shown, now)));
        if (byCertificate.isPresent()) {
            return byCertificate.get();
        }
        Optional<String> token = token(request);
        if (token.isPresent()) {
            return authenticator.get().findByToken(token.get()).orElseThrow(ApiException::unauthorized);
        }
        if (certificate(request).isPresent()) {
            throw ApiException.unauthorized();
        }
        return User.ANONYMOUS;
    }

    /// A certificate is checked once a connection; but it may go out of date while that is open.
    private Optional<User> byCertificate(SSLSession session, X509Certificate certificate, Instant now) {
        if (session.getValue(KNOWN) instanceof User known) {
            return certificate.getNotAfter().toInstant().isAfter(now) ? Optional.of(known) : Optional.empty();
        }
        Optional<User> found = authenticator.flatMap(a -> a.findByCertificate(certificate));
        found.ifPresent(user -> session.putValue(KNOWN, user));
        return found;
    }

    private static Optional<SSLSession> session(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                ? Optional.ofNullable(tls.sslSession())
                : Optional.empty();
    }

    private static Optional<X509Certificate> certificate(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                        && tls.peerCertificates() != null
                        && tls.peerCertificates().length > 0
                ? Optional.of(tls.peerCertificates()[0])
                : Optional.empty();
    }

    private static Optional<String> token(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
                ? Optional.of(header.substring(7).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    /// Who the request is to be done for: the sender, or somebody he may speak for.
    User impersonate(User sender, ApiRequest request) {
        return new Impersonation(sender, rights.current()).user(request);
    }

    /// Throws a 403 if this user may not do what the request asks for.
    void authorize(User user, ApiRequest request) {
        AccessRequest wanted = RequestAttributes.of(user, request);
        Rbac rbac = rights.current();
        if (!rbac.allows(wanted)) {
            throw ApiException.refused(wanted);
        }
        if (user.findNode().isPresent() && !user.isMaster()) {
            nodes.check(user.findNode().get(), request);
        }
    }

    /// What holds this user back while he writes roles.
    RoleGuard guard(User user) {
        return new RoleGuard(user, rights.current());
    }
}
