package io.fairlead.access;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Finds out who a client is, by what it shows.
public final class Authenticator {
    private static final List<String> US = List.of(ServiceAccountTokens.ISSUER);

    private final CertificateAuthority authority;
    private final StaticTokens staticTokens;
    private final ServiceAccountTokens accountTokens;
    private final InstantSource clock;

    public Authenticator(
            Pki pki, StaticTokens staticTokens, ServiceAccountTokens.Objects objects, InstantSource clock) {
        this.authority = pki.authority();
        this.staticTokens = staticTokens;
        this.accountTokens = new ServiceAccountTokens(pki.tokenKeys(), objects);
        this.clock = clock;
    }

    public Optional<User> findByCertificate(X509Certificate certificate) {
        return authority.findSubject(certificate, clock.instant()).map(User::of);
    }

    public Optional<User> findByToken(String token) {
        return findBearer(token, US).map(ServiceAccountTokens.Bearer::user);
    }

    /// Whose token it is, and for which of `audiences`; a static token is meant for the API server alone.
    public Optional<ServiceAccountTokens.Bearer> findBearer(String token, List<String> audiences) {
        List<String> asked = audiences.isEmpty() ? US : audiences;
        return staticTokens
                .find(token)
                .filter(_ -> asked.contains(ServiceAccountTokens.ISSUER))
                .map(user -> new ServiceAccountTokens.Bearer(user, US))
                .or(() -> accountTokens.find(token, asked, clock.instant()));
    }

    public String issue(ServiceAccountTokens.TokenSpec wish) {
        return accountTokens.issue(wish, clock.instant());
    }
}
