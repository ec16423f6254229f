package io.fairlead.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Ip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PkiTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final ServerNames NAMES =
            ServerNames.ofApiServer(List.of("box"), List.of(Ip.parse("10.96.0.1"), Ip.parse("fd00:96::1")));

    @TempDir
    private Path temporary;

    private Path dir;

    @BeforeEach
    void choose() {
        dir = temporary.resolve("state").resolve("pki");
    }

    private Pki at(Instant time) {
        return Pki.open(dir, InstantSource.fixed(time));
    }

    @Test
    void only_the_owner_can_read_the_folder_and_its_files() throws IOException {
        at(NOW).serverCredential(NAMES);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files.map(file -> file.getFileName() + " " + permissions(file)))
                    .containsExactlyInAnyOrder(
                            "ca.crt rw-------",
                            "ca.key rw-------",
                            "sa.key rw-------",
                            "sa.pub rw-------",
                            "server.crt rw-------",
                            "server.key rw-------");
        }
    }

    private static String permissions(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_next_start_finds_the_same_keys() {
        Pki first = at(NOW);
        Credential server = first.serverCredential(NAMES);
        Pki next = at(NOW.plus(Duration.ofDays(100)));
        assertThat(next.authority().certificate()).isEqualTo(first.authority().certificate());
        assertThat(next.tokenKeys().getPublic()).isEqualTo(first.tokenKeys().getPublic());
        assertThat(next.serverCredential(NAMES)).isEqualTo(server);
    }

    @Test
    void the_administrator_keeps_a_certificate_until_it_is_due() {
        Credential first = at(NOW).administratorCredential();
        assertThat(first.key().getAlgorithm()).isEqualTo("RSA");
        assertThat(at(NOW.plus(Duration.ofDays(100))).administratorCredential()).isEqualTo(first);
        assertThat(at(NOW.plus(Duration.ofDays(300))).administratorCredential()).isNotEqualTo(first);
    }

    @Test
    void a_path_validator_from_outside_this_project_accepts_the_certificates() throws Exception {
        Pki pki = at(NOW);
        X509Certificate authority = pki.authority().certificate();
        for (Credential issued : List.of(pki.serverCredential(NAMES), pki.issueClient(Subject.administrator()))) {
            CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(issued.certificate()));
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(NOW));
            assertThat(CertPathValidator.getInstance("PKIX").validate(path, parameters))
                    .isNotNull();
        }
        assertThat(authority.getBasicConstraints()).isGreaterThanOrEqualTo(0);
    }

    @Test
    void the_server_is_known_by_all_its_names() throws Exception {
        X509Certificate server = at(NOW).serverCredential(NAMES).certificate();
        assertThat(server.getSubjectAlternativeNames().stream()
                        .map(List::getLast)
                        .map(Object::toString))
                .containsExactlyInAnyOrder(
                        "box",
                        "kubernetes",
                        "kubernetes.default",
                        "kubernetes.default.svc",
                        "kubernetes.default.svc.cluster.local",
                        "localhost",
                        "10.96.0.1",
                        "127.0.0.1",
                        "0:0:0:0:0:0:0:1",
                        "fd00:96:0:0:0:0:0:1");
    }

    @Test
    void a_server_with_a_new_name_gets_a_new_certificate() {
        Credential before = at(NOW).serverCredential(NAMES);
        ServerNames more = ServerNames.ofApiServer(List.of("box", "other"), List.of(Ip.parse("10.96.0.1")));
        Credential after = at(NOW).serverCredential(more);
        assertThat(after).isNotEqualTo(before);
        assertThat(more.areIn(after.certificate())).isTrue();
    }

    @Test
    void a_certificate_is_renewed_when_a_third_of_its_life_is_left() {
        Credential first = at(NOW).serverCredential(NAMES);
        assertThat(at(NOW.plus(Duration.ofDays(240))).serverCredential(NAMES)).isEqualTo(first);
        assertThat(at(NOW.plus(Duration.ofDays(250))).serverCredential(NAMES)).isNotEqualTo(first);
    }

    @Test
    void a_server_certificate_of_another_authority_is_replaced() throws IOException {
        Credential first = at(NOW).serverCredential(NAMES);
        Files.delete(dir.resolve("ca.crt"));
        Files.delete(dir.resolve("ca.key"));
        assertThat(at(NOW).serverCredential(NAMES)).isNotEqualTo(first);
    }

    @Test
    void half_a_pair_is_never_made_whole() throws IOException {
        at(NOW);
        Files.delete(dir.resolve("ca.key"));
        assertThatThrownBy(() -> at(NOW))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("has ca.crt but no ca.key");
    }

    @Test
    void a_crash_between_the_two_files_of_the_first_start_does_not_block_the_next() throws IOException {
        at(NOW);
        Files.delete(dir.resolve("ca.crt"));
        Files.delete(dir.resolve("sa.key"));
        Credential server = at(NOW).serverCredential(NAMES);
        assertThat(at(NOW).authority().hasSigned(server.certificate())).isTrue();
    }

    @Test
    void an_authority_that_has_issued_certificates_is_never_replaced_by_half() throws IOException {
        at(NOW).serverCredential(NAMES);
        Files.delete(dir.resolve("ca.crt"));
        assertThatThrownBy(() -> at(NOW))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("has ca.key but no ca.crt");
    }

    @Test
    void what_can_be_issued_again_is_when_half_is_missing_or_damaged_or_of_another_pair() throws IOException {
        Credential first = at(NOW).serverCredential(NAMES);
        Files.delete(dir.resolve("server.key"));
        Credential second = at(NOW).serverCredential(NAMES);
        assertThat(second).isNotEqualTo(first);
        Files.writeString(dir.resolve("server.crt"), "damaged");
        Credential third = at(NOW).serverCredential(NAMES);
        assertThat(third).isNotEqualTo(second);
        Files.writeString(dir.resolve("server.key"), first.keyPem()); // a key beside another's certificate
        assertThat(at(NOW).serverCredential(NAMES).isPair()).isTrue();
    }

    @Test
    void a_key_beside_the_certificate_of_another_authority_is_refused_before_any_handshake() throws IOException {
        at(NOW);
        Pki other = Pki.open(temporary.resolve("other"), InstantSource.fixed(NOW));
        Files.writeString(dir.resolve("ca.crt"), other.authorityPem());
        assertThatThrownBy(() -> at(NOW)).hasMessageContaining("ca.crt does not belong to ca.key");
    }

    @Test
    void a_damaged_key_is_not_quoted() throws IOException {
        at(NOW);
        String key = Files.readString(dir.resolve("ca.key"));
        String secret = key.substring(60, 100);
        Files.writeString(dir.resolve("ca.key"), key.replace("A", "*"));
        assertThatThrownBy(() -> at(NOW))
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("ca.key holds no EC or RSA key")
                .hasNoCause()
                .message()
                .doesNotContain(secret);
    }

    @Test
    void a_client_certificate_says_who_and_in_which_groups() {
        Pki pki = at(NOW);
        Subject jane = Subject.of("jane, \"the\" admin=x", "ops", "a+b");
        X509Certificate certificate = pki.issueClient(jane).certificate();
        assertThat(pki.authority().findSubject(certificate, NOW)).contains(jane);
        assertThat(pki.authority().findSubject(certificate, NOW.plus(Duration.ofDays(366))))
                .isEmpty();
        assertThat(pki.authority().findSubject(certificate, NOW.minus(Duration.ofDays(1))))
                .isEmpty();
    }

    @Test
    void a_certificate_of_another_authority_or_for_another_use_says_nothing() {
        Pki pki = at(NOW);
        Pki other = Pki.open(temporary.resolve("other"), InstantSource.fixed(NOW));
        X509Certificate foreign = other.issueClient(Subject.administrator()).certificate();
        assertThat(pki.authority().findSubject(foreign, NOW)).isEmpty();
        assertThat(pki.authority().findSubject(pki.serverCredential(NAMES).certificate(), NOW))
                .isEmpty();
        assertThat(pki.authority().findSubject(pki.authority().certificate(), NOW))
                .isEmpty();
    }

    @Test
    void a_certificate_after_2049_is_still_read() {
        Pki pki = at(Instant.parse("2049-06-01T00:00:00Z"));
        X509Certificate late = pki.issueClient(Subject.node("n")).certificate();
        assertThat(late.getNotAfter().toInstant()).isEqualTo(Instant.parse("2050-06-01T00:00:00Z"));
    }
}
