package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ParseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One self-signed certificate serves as authority, server and client.
class TlsTest {
    private static final NamespacedName NODE = new NamespacedName("", "n");

    @TempDir
    private Path directory;

    private String certificate = "";
    private String key = "";
    private Optional<TestCertificate> made = Optional.empty();

    @BeforeEach
    void makeCertificate() throws Exception {
        TestCertificate own = TestCertificate.make(directory, "ip:127.0.0.1");
        made = Optional.of(own);
        certificate = own.certificate();
        key = own.key();
    }

    private HttpTestServer server() throws Exception {
        return server(made.orElseThrow().context());
    }

    private static HttpTestServer server(SSLContext context) throws Exception {
        SSLServerSocket socket = TestCertificate.listening(context);
        socket.setNeedClientAuth(true);
        return new HttpTestServer(socket, (_, reply) -> reply.json(200, "{}"));
    }

    private static URI https(HttpTestServer server) {
        return URI.create("https://127.0.0.1:" + server.uri().getPort());
    }

    @Test
    void the_named_authority_is_trusted_and_the_client_certificate_is_shown() throws Exception {
        ClusterAccess.Tls tls = new ClusterAccess.Tls(certificate, certificate, key);
        try (var server = server();
                var client = new ApiClient(new ClusterAccess(https(server), "", tls))) {
            assertThat(client.get(Kind.NODE, NODE)).isEmpty();
        }
    }

    @Test
    void the_same_certificate_is_shown_to_those_who_call_us() throws Exception {
        ClusterAccess.Tls tls = new ClusterAccess.Tls(certificate, certificate, key);
        try (var server = server(tls.mutual().orElseThrow());
                var client = new ApiClient(new ClusterAccess(https(server), "", tls))) {
            assertThat(client.get(Kind.NODE, NODE)).isEmpty();
        }
    }

    @Test
    void no_other_server_is_trusted_and_without_a_certificate_we_are_anonymous() throws Exception {
        for (ClusterAccess.Tls tls : List.of(ClusterAccess.Tls.NONE, new ClusterAccess.Tls(certificate, "", ""))) {
            try (var server = server();
                    var client = new ApiClient(new ClusterAccess(https(server), "", tls))) {
                assertThatExceptionOfType(ApiException.class)
                        .isThrownBy(() -> client.get(Kind.NODE, NODE))
                        .matches(ApiException::isUnanswered);
            }
        }
    }

    @Test
    void a_key_that_cannot_be_read_is_named() {
        assertFault(certificate, "no key", "client-key: there is no BEGIN PRIVATE KEY");
        assertFault(certificate, key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"), "client-key: is encrypted");
        assertFault(
                certificate, TestCertificate.pem("PRIVATE KEY", new byte[] {1, 2}), "client-key: neither EC nor RSA");
        assertFault(
                certificate,
                TestCertificate.pem("EC PRIVATE KEY", new byte[] {1, 2}),
                "client-key: does not name its curve");
    }

    @Test
    void a_certificate_that_cannot_be_read_is_named() {
        assertFault("none", key, "client-certificate: ");
        assertFault(TestCertificate.pem("CERTIFICATE", new byte[] {1, 2}), key, "client-certificate: ");
    }

    private void assertFault(String ours, String ourKey, String sentence) {
        ClusterAccess.Tls tls = new ClusterAccess.Tls(certificate, ours, ourKey);
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> new ApiClient(new ClusterAccess(URI.create("https://a"), "", tls)))
                .withMessageContaining(sentence);
    }
}
