package io.fairlead.http;

import io.fairlead.access.Authenticator;
import io.fairlead.access.User;
import io.fairlead.objects.Rights;
import io.fairlead.objects.StatusException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSession;

/// Finds out who sends a request, and for whom (`kubectl --as`).
final class Authentication implements Filter {
    private static final User UNSECURED = User.authenticated("system:unsecured", "", Set.of(User.MASTERS));
    private static final String KNOWN = "io.fairlead.user";

    // Nothing where the server is open to all.
    private final Optional<Authenticator> authenticator;
    private final Rights rights;

    Authentication(Optional<Authenticator> authenticator, Rights rights) {
        this.authenticator = authenticator;
        this.rights = rights;
    }

    @Override
    public Answer answer(Exchange exchange, Next next) throws InterruptedException {
        exchange.sentBy(sender(exchange.credentials(), exchange.begin()));
        exchange.actAs(new Impersonation(exchange.sender(), rights.current()).user(exchange.request()));
        return next.answer(exchange);
    }

    /// A certificate counts before a token; a sender who shows neither is anonymous, and a bad one is refused.
    private User sender(Credentials shown, Instant now) {
        if (authenticator.isEmpty()) {
            return UNSECURED;
        }
        Optional<User> byCertificate = shown.session()
                .flatMap(session -> shown.certificate().flatMap(found -> byCertificate(session, found, now)));
        if (byCertificate.isPresent()) {
            return byCertificate.get();
        }
        if (shown.token().isPresent()) {
            return authenticator.get().findByToken(shown.token().get()).orElseThrow(StatusException::unauthorized);
        }
        if (shown.certificate().isPresent()) {
            throw StatusException.unauthorized();
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
}
