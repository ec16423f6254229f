package io.fairlead.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.access.ServiceAccountTokens.Reference;
import io.fairlead.access.ServiceAccountTokens.TokenSpec;
import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

final class TokensTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
    private static final List<String> US = List.of(ServiceAccountTokens.ISSUER);
    private static final Reference ROBOT = new Reference("serviceaccount", new NamespacedName("shop", "robot"), "u-1");
    private static final Reference POD = new Reference("pod", new NamespacedName("shop", "p"), "u-2");

    @TempDir
    private Path dir;

    private final KeyPair keys = CertificateAuthority.newKeys();
    private final Set<Reference> there = new HashSet<>(Set.of(ROBOT, POD));
    private final ServiceAccountTokens tokens = new ServiceAccountTokens(keys, there::contains);

    private String token(Reference... bound) {
        return tokens.issue(new TokenSpec("id-1", ROBOT, US, Duration.ofHours(1), List.of(bound)), NOW);
    }

    @Test
    void a_token_says_whose_it_is() {
        User user = tokens.find(token(POD), US, NOW).orElseThrow().user();
        assertThat(user.name()).isEqualTo("system:serviceaccount:shop:robot");
        assertThat(user.uid()).isEqualTo("u-1");
        assertThat(user.groups())
                .containsExactlyInAnyOrder(
                        "system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated");
        assertThat(user.extra())
                .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
                .containsEntry("authentication.kubernetes.io/credential-id", List.of("JTI=id-1"));
    }

    @Test
    void its_claims_are_those_that_other_programs_read() {
        String body = token(POD).split("\\.", -1)[1];
        JsonNode claims = Json.parse(Base64.getUrlDecoder().decode(body));
        assertThat(claims).isEqualTo(Json.parse("""
            {"aud": ["https://kubernetes.default.svc.cluster.local"], "exp": 1794834000, "iat": 1794830400,
             "iss": "https://kubernetes.default.svc.cluster.local", "jti": "id-1",
             "kubernetes.io": {"namespace": "shop", "serviceaccount": {"name": "robot", "uid": "u-1"},
                               "pod": {"name": "p", "uid": "u-2"}},
             "nbf": 1794830400, "sub": "system:serviceaccount:shop:robot"}\
            """));
    }

    @Test
    void a_token_is_good_for_its_time_alone() {
        assertThat(tokens.find(token(), US, NOW.plusSeconds(3599))).isPresent();
        assertThat(tokens.find(token(), US, NOW.plusSeconds(3600))).isEmpty();
        assertThat(tokens.find(token(), US, NOW.minusSeconds(1))).isEmpty();
    }

    @Test
    void a_token_ends_with_its_account_and_with_what_it_is_bound_to() {
        String bound = token(POD);
        assertThat(tokens.find(bound, US, NOW)).isPresent();
        there.remove(POD);
        assertThat(tokens.find(bound, US, NOW)).isEmpty();
        assertThat(tokens.find(token(), US, NOW)).isPresent();
        there.remove(ROBOT);
        assertThat(tokens.find(token(), US, NOW)).isEmpty();
        // another account of the same name is another one
        there.add(new Reference("serviceaccount", ROBOT.name(), "u-9"));
        assertThat(tokens.find(token(), US, NOW)).isEmpty();
    }

    @Test
    void a_token_for_another_audience_is_not_for_us() {
        String vault = tokens.issue(new TokenSpec("i", ROBOT, List.of("vault"), Duration.ofHours(1), List.of()), NOW);
        assertThat(tokens.find(vault, US, NOW)).isEmpty();
        assertThat(tokens.find(vault, List.of("vault", "x"), NOW).orElseThrow().audiences())
                .containsExactly("vault");
    }

    @Test
    void what_was_not_signed_here_names_no_user() {
        String other = Jwt.sign(Json.object().put("iss", ServiceAccountTokens.ISSUER), CertificateAuthority.newKeys());
        String good = token();
        String[] parts = good.split("\\.", -1);
        String none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        List<String> bad = List.of(
                other,
                none + "." + parts[1] + ".",
                none + "." + parts[1] + "." + parts[2],
                parts[0] + "." + parts[1] + ".AAAA",
                parts[0] + "." + parts[1].substring(1) + "." + parts[2],
                good + "x",
                good.replace('.', ' '),
                "",
                "..",
                "x".repeat(100_000));
        assertThat(bad)
                .allSatisfy(token -> assertThat(tokens.find(token, US, NOW)).isEmpty());
    }

    private StaticTokens read(String text) throws IOException {
        return StaticTokens.read(Files.writeString(dir.resolve("tokens.csv"), text));
    }

    @Test
    void a_file_of_tokens_says_who_has_them() throws IOException {
        StaticTokens file = read("""
            # who, and since when
            s3cret-one,ann,1,"ops,crew"

            s3cret-two,bob,2
            """);
        assertThat(file.find("s3cret-one")).contains(User.authenticated("ann", "1", Set.of("ops", "crew")));
        assertThat(file.find("s3cret-two")).contains(User.authenticated("bob", "2", Set.of()));
        assertThat(file.find("s3cret-three")).isEmpty();
        assertThat(file.find("")).isEmpty();
    }

    @Test
    void a_fault_in_the_file_is_named_by_its_line_and_not_quoted() {
        for (String fault : List.of("s3cret-one", "s3cret-one,", "s3cret-one,,1", "s3cret-one,a,1\ns3cret-one,b,2")) {
            assertThatThrownBy(() -> read(fault))
                    .isInstanceOf(AccessException.class)
                    .hasMessageContaining("tokens.csv, line ")
                    .message()
                    .doesNotContain("s3cret");
        }
    }
}
