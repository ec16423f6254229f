package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.Pki;
import io.fairlead.access.ServerNames;
import io.fairlead.api.Ip;
import io.fairlead.kinds.NamespaceRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ServerTlsTest {
    @TempDir
    private Path dir;

    /// Says nothing, but says it well.
    private static final class Silent extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            callback.succeeded();
            return true;
        }
    }

    @Test
    void a_certificate_that_is_due_is_renewed_while_connections_are_open_and_the_authority_stays() throws Exception {
        // Both certificates are good today: the first was made so long ago that it is due.
        AtomicReference<Instant> now =
                new AtomicReference<>(Instant.now().minus(Pki.LIFE).plus(Duration.ofDays(30)));
        Pki pki = Pki.open(dir.resolve("pki"), now::get);
        X509Certificate authority = pki.authority().certificate();
        ServerTls tls = new ServerTls(pki, ServerNames.ofApiServer(List.of(), Set.of(Ip.parse("127.0.0.1"))));
        try (HttpFront front = new HttpFront(
                TestServer.ANY_PORT,
                Optional.of(tls),
                10,
                new ConnectionWatch(ConnectionWatch.Patience.USUAL, () -> {}))) {
            front.open();
            front.start(new Silent());
            try (SSLSocket open = connect(front, authority)) {
                X509Certificate old = shown(open);
                assertAnswers(open);
                tls.renew();
                try (SSLSocket same = connect(front, authority)) {
                    assertThat(shown(same)).as("not due yet").isEqualTo(old);
                }

                now.set(Instant.now());
                tls.renew();

                assertAnswers(open);
                try (SSLSocket next = connect(front, authority)) {
                    assertAnswers(next);
                    assertThat(shown(next).getNotAfter()).isAfter(old.getNotAfter());
                    shown(next).verify(authority.getPublicKey());
                }
                assertThat(Pki.open(dir.resolve("pki")).authority().certificate())
                        .isEqualTo(authority);
            }
        }
    }

    @Test
    void a_closing_server_ends_watches_over_http_2_cleanly() throws Exception {
        try (GuardedServer server = GuardedServer.start(dir);
                var admin = server.admin()) {
            URI uri = URI.create(server.url() + "/api/v1/namespaces?watch=true");
            var response =
                    admin.http().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            try (WatchReader watch = new WatchReader(response.statusCode(), response.body())) {
                assertThat(watch.next(NamespaceRules.BUILT_IN.size())).hasSize(4);
                server.closeServer();
                assertThat(watch.rest()).as("no error, only the end").isEmpty();
            }
        }
    }

    /// With a context of its own, so that no session of an earlier connection is taken up.
    private static SSLSocket connect(HttpFront front, X509Certificate authority) throws IOException {
        SSLSocket socket = (SSLSocket) GuardedServer.context(authority, Optional.empty())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), front.address().port());
        socket.startHandshake();
        return socket;
    }

    private static X509Certificate shown(SSLSocket socket) throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    private static void assertAnswers(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        assertThat(head.toString()).startsWith("HTTP/1.1 200");
    }
}
