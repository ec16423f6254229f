package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ParseException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One self-signed certificate serves as authority, server and client.
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final NamespacedName NODE = new NamespacedName("", "n");

    @TempDir
    private Path directory;

    private KeyStore store = newStore();
    private String certificate = "";
    private String key = "";

    private static KeyStore newStore() {
        try {
            return KeyStore.getInstance("PKCS12");
        } catch (java.security.KeyStoreException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void makeCertificate() throws Exception {
        Path file = directory.resolve("keys.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "me",
                "-dname",
                "CN=me",
                "-keyalg",
                "EC",
                "-ext",
                "san=ip:127.0.0.1");
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        certificate = pem("CERTIFICATE", store.getCertificate("me").getEncoded());
        key = pem("PRIVATE KEY", store.getKey("me", PASSWORD).getEncoded());
    }

    private static String pem(String type, byte[] bytes) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(bytes), type);
    }

    private HttpTestServer server() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = newStore();
        trusted.load(null, PASSWORD);
        trusted.setCertificateEntry("me", store.getCertificate("me"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return server(context);
    }

    private static HttpTestServer server(SSLContext context) throws Exception {
        SSLServerSocket socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
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
    void nobody_else_is_trusted_and_without_a_certificate_we_are_nobody() throws Exception {
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
        assertFault(certificate, pem("PRIVATE KEY", new byte[] {1, 2}), "client-key: neither EC nor RSA");
        assertFault(certificate, pem("EC PRIVATE KEY", new byte[] {1, 2}), "client-key: does not name its curve");
    }

    @Test
    void a_certificate_that_cannot_be_read_is_named() {
        assertFault("none", key, "client-certificate: ");
        assertFault(pem("CERTIFICATE", new byte[] {1, 2}), key, "client-certificate: ");
    }

    private void assertFault(String ours, String ourKey, String sentence) {
        ClusterAccess.Tls tls = new ClusterAccess.Tls(certificate, ours, ourKey);
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> new ApiClient(new ClusterAccess(URI.create("https://a"), "", tls)))
                .withMessageContaining(sentence);
    }
}
