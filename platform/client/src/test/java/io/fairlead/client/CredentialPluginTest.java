package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs that say who we are, tried on a server with TLS.
class CredentialPluginTest {
    private static final NamespacedName NODE = new NamespacedName("", "n");
    private static final String V1 = "client.authentication.k8s.io/v1";

    @TempDir
    private Path directory;

    /// A program that writes down that it ran, and prints what stands in the file `answer`.
    private void plugin(String before) throws IOException {
        Path program = Files.writeString(directory.resolve("plugin"), """
            #!/bin/sh
            cd '%s'
            printf '%%s' "$KUBERNETES_EXEC_INFO" > question
            echo "$* $COLOUR" >> runs
            %s
            cat answer
            """.formatted(directory, before));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private void answer(String version, Map<String, String> status) throws IOException {
        ObjectNode answer = Json.object().put("apiVersion", version).put("kind", "ExecCredential");
        status.forEach(answer.putObject("status")::put);
        Files.write(directory.resolve("answer"), Json.bytes(answer));
    }

    private List<String> runs() throws IOException {
        return Files.readAllLines(directory.resolve("runs"));
    }

    private ClusterAccess access(SSLServerSocket socket, TestCertificate authority, String version) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
            current-context: a
            contexts: [{name: a, context: {cluster: c, user: u}}]
            clusters:
            - name: c
              cluster:
                server: https://127.0.0.1:%d
                certificate-authority-data: %s
                extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: us}}]
            users:
            - name: u
              user:
                exec:
                  apiVersion: %s
                  command: ./plugin
                  args: [get, token]
                  env: [{name: COLOUR, value: blue}]
                  interactiveMode: IfAvailable
                  provideClusterInfo: true
            """.formatted(
                        socket.getLocalPort(), authority.certificateData(), version));
        return Kubeconfig.read(file);
    }

    @Test
    void its_token_is_shown_until_it_expires_or_is_refused() throws Exception {
        for (String version : List.of(V1, V1 + "beta1")) {
            plugin("");
            Files.deleteIfExists(directory.resolve("runs"));
            TestCertificate certificate = TestCertificate.make(directory, "ip:127.0.0.1");
            SSLServerSocket socket = certificate.listening();
            List<String> shown = new CopyOnWriteArrayList<>();
            AtomicReference<String> good = new AtomicReference<>("Bearer one");
            try (var _ = new HttpTestServer(socket, (request, reply) -> {
                        String token = request.headers().getOrDefault("authorization", "");
                        shown.add(token);
                        reply.json(token.equals(good.get()) ? 200 : 401, "{}");
                    });
                    var client = new ApiClient(access(socket, certificate, version))) {
                answer(version, Map.of("token", "one", "expirationTimestamp", "2999-01-01T00:00:00Z"));
                client.get(Kind.NODE, NODE);
                client.get(Kind.NODE, NODE);
                assertThat(runs()).containsExactly("get token blue");

                good.set("Bearer two");
                answer(version, Map.of("token", "two", "expirationTimestamp", "2020-01-01T00:00:00+02:00"));
                assertThatExceptionOfType(ApiException.class)
                        .isThrownBy(() -> client.get(Kind.NODE, NODE))
                        .matches(refused -> refused.code() == 401);
                client.get(Kind.NODE, NODE);
                assertThat(runs()).hasSize(2);
                client.get(Kind.NODE, NODE);
                assertThat(runs()).as("the second one counts no longer").hasSize(3);
            }
            assertThat(shown).containsExactly("Bearer one", "Bearer one", "Bearer one", "Bearer two", "Bearer two");
        }
    }

    @Test
    void it_is_told_of_the_cluster_where_it_asks() throws Exception {
        plugin("");
        TestCertificate certificate = TestCertificate.make(directory, "ip:127.0.0.1");
        SSLServerSocket socket = certificate.listening();
        answer(V1, Map.of("token", "one"));
        try (var _ = new HttpTestServer(socket, (_, reply) -> reply.json(200, "{}"));
                var client = new ApiClient(access(socket, certificate, V1))) {
            client.get(Kind.NODE, NODE);
        }
        JsonNode question = Json.parse(Files.readAllBytes(directory.resolve("question")));
        assertThat(Json.text(question, "apiVersion")).isEqualTo(V1);
        assertThat(Json.flag(question, true, "spec", "interactive")).isFalse();
        JsonNode cluster = Json.at(question, "spec", "cluster");
        assertThat(Json.text(cluster, "server")).isEqualTo("https://127.0.0.1:" + socket.getLocalPort());
        assertThat(Json.text(cluster, "certificate-authority-data")).isEqualTo(certificate.certificateData());
        assertThat(Json.text(cluster, "config", "audience")).isEqualTo("us");
    }

    @Test
    void its_certificate_is_shown_and_another_one_when_it_changes() throws Exception {
        plugin("");
        TestCertificate certificate = TestCertificate.make(directory, "ip:127.0.0.1");
        TestCertificate stranger = TestCertificate.make(directory, "dns:stranger.example");
        SSLServerSocket socket = certificate.listening();
        socket.setNeedClientAuth(true);
        try (var _ = new HttpTestServer(socket, (_, reply) -> reply.json(200, "{}"));
                var client = new ApiClient(access(socket, certificate, V1))) {
            String past = "2020-01-01T00:00:00Z"; // so that the plugin runs for each request
            answer(V1, certificate(stranger, past));
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.NODE, NODE))
                    .matches(ApiException::isUnanswered);
            answer(V1, certificate(certificate, past));
            assertThat(client.get(Kind.NODE, NODE)).isEmpty();
            answer(V1, Map.of("clientCertificateData", "none", "clientKeyData", "none"));
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() -> client.get(Kind.NODE, NODE))
                    .withMessageContaining("user.exec: certificates for the API server: ");
        }
    }

    @Test
    void many_requests_at_once_wait_for_one_answer_of_it() throws Exception {
        plugin("");
        TestCertificate certificate = TestCertificate.make(directory, "ip:127.0.0.1");
        SSLServerSocket socket = certificate.listening();
        socket.setNeedClientAuth(true);
        answer(V1, certificate(certificate, "2999-01-01T00:00:00Z"));
        int many = 8;
        CountDownLatch answered = new CountDownLatch(many);
        try (var _ = new HttpTestServer(socket, (_, reply) -> reply.json(200, "{}"));
                var client = new ApiClient(access(socket, certificate, V1));
                var tasks = new TaskGroup("many")) {
            for (int i = 0; i < many; i++) {
                tasks.runAlone("request", () -> {
                    client.get(Kind.NODE, NODE);
                    answered.countDown();
                });
            }
            assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(runs()).hasSize(1);
    }

    private static Map<String, String> certificate(TestCertificate shown, String expires) {
        return Map.of(
                "clientCertificateData",
                shown.certificate(),
                "clientKeyData",
                shown.key(),
                "expirationTimestamp",
                expires);
    }

    @Test
    void one_that_fails_is_a_failed_request_with_a_sentence() throws Exception {
        plugin("echo 'log in first' >&2; exit 3");
        assertFails("ended with status 3: log in first");
        plugin("");
        answer("client.authentication.k8s.io/v1beta1", Map.of("token", "t"));
        assertFails("printed client.authentication.k8s.io/v1beta1 ExecCredential instead of " + V1);
        answer(V1, Map.of());
        assertFails("status: there is neither a token nor a clientCertificateData");
        answer(V1, Map.of("clientKeyData", "t"));
        assertFails("come together or not at all");
        answer(V1, Map.of("token", "t", "expirationTimestamp", "soon"));
        assertFails("status.expirationTimestamp: \"soon\" is no time");
        plugin("head -c 2000000 /dev/zero");
        assertFails("printed more than");
        Files.delete(directory.resolve("plugin"));
        assertFails("cannot be started");
        assertFails("; get it from us");
    }

    private void assertFails(String sentence) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> runner(Duration.ofSeconds(60)).run())
                .matches(ApiException::isUnanswered)
                .withMessageStartingWith("user.exec: the plugin " + directory.resolve("plugin"))
                .withMessageContaining(sentence);
    }

    private PluginRunner runner(Duration patience) {
        String command = directory.resolve("plugin").toString();
        return new PluginRunner(new CredentialPlugin(V1, command, List.of(), Map.of(), "", "get it from us"), patience);
    }

    @Test
    void one_that_does_not_end_is_ended() throws Exception {
        plugin("echo $$ > pid; sleep 600 & echo $! > child; wait");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> runner(Duration.ofSeconds(5)).run())
                .withMessageContaining("did not end within 5 s");
        for (String file : List.of("pid", "child")) {
            long pid = Long.parseLong(Files.readString(directory.resolve(file)).strip());
            Optional<ProcessHandle> left = ProcessHandle.of(pid);
            left.ifPresent(
                    process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void what_it_said_counts_until_its_time() throws Exception {
        plugin("");
        answer(V1, Map.of("token", "one", "expirationTimestamp", "2026-01-01T00:00:00Z"));
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2025-12-31T23:59:59Z"));
        Login login = new Login(Optional.of(runner(Duration.ofSeconds(60))), now::get);
        assertThat(login.current().token()).isEqualTo("one");
        answer(V1, Map.of("token", "two"));
        assertThat(login.current().token()).isEqualTo("one");
        now.set(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(login.current().token()).isEqualTo("two");
        login.refused("Bearer one");
        assertThat(runs()).hasSize(2);
        login.current();
        assertThat(runs()).as("an old one was refused").hasSize(2);
    }
}
