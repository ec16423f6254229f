package io.fairlead.http;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.StaticTokens;
import io.fairlead.access.Subject;
import io.fairlead.api.Json;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.databind.JsonNode;

/// A real server on loopback with TLS and rights, and clients with certificates or tokens.
final class GuardedServer implements AutoCloseable {
    static final String TOKEN = "st4tic-tok3n-of-bob";

    /// What came back, and over which protocol.
    record Reply(int code, String text, HttpResponse<String> response) {
        JsonNode body() {
            return Json.parse(text);
        }

        String message() {
            return Json.text(body(), "message");
        }
    }

    private final Store store = new MemoryStore();
    private final Pki pki;
    private final ApiServer server;
    private final Path audit;

    private GuardedServer(Path dir, UnaryOperator<ApiServerConfig> settings) throws IOException, InterruptedException {
        Path tokens = Files.writeString(dir.resolve("tokens.csv"), TOKEN + ",bob,1,\"crew\"\n");
        pki = Pki.open(dir.resolve("pki"));
        audit = dir.resolve("audit.log");
        ApiServerConfig usual = ApiServerConfig.at(TestServer.ANY_PORT)
                .withClientAccess(new ClientAccess.Guarded(pki, StaticTokens.read(tokens)))
                .withAuditLog(audit);
        server = ApiServer.start(settings.apply(usual), store);
    }

    static GuardedServer start(Path dir) throws IOException, InterruptedException {
        return new GuardedServer(dir, UnaryOperator.identity());
    }

    static GuardedServer start(Path dir, UnaryOperator<ApiServerConfig> settings)
            throws IOException, InterruptedException {
        return new GuardedServer(dir, settings);
    }

    String url() {
        return "https://" + server.address();
    }

    Pki pki() {
        return pki;
    }

    String auditText() throws IOException {
        return Files.readString(audit);
    }

    Client admin() {
        return as(Subject.administrator());
    }

    Client as(Subject subject) {
        return new Client(Optional.of(pki.issueClient(subject)), "");
    }

    Client with(Credential credential) {
        return new Client(Optional.of(credential), "");
    }

    Client bearer(String token) {
        return new Client(Optional.empty(), token);
    }

    Client anonymous() {
        return new Client(Optional.empty(), "");
    }

    /// Closes the server alone, as a signal does.
    void closeServer() {
        server.close();
    }

    @Override
    public void close() {
        server.close();
        store.close();
    }

    /// For a client that trusts this authority alone, and shows what it has.
    static SSLContext context(X509Certificate authority, Optional<Credential> credential) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", authority);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            if (credential.isPresent()) {
                Certificate[] chain = {credential.get().certificate()};
                own.setKeyEntry("me", credential.get().key(), new char[0], chain);
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(own, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// A client that trusts our authority, and shows what it has.
    final class Client implements AutoCloseable {
        private final HttpClient http;
        private final String token;

        private Client(Optional<Credential> credential, String token) {
            this.token = token;
            this.http = HttpClient.newBuilder()
                    .sslContext(context(pki.authority().certificate(), credential))
                    .build();
        }

        Reply get(String path) throws IOException, InterruptedException {
            return send("GET", path, "");
        }

        Reply post(String path, String body) throws IOException, InterruptedException {
            return send("POST", path, body);
        }

        Reply send(String method, String path, String body, String... headers)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (!body.isEmpty()) {
                String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
                request.header("Content-Type", type);
            }
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            for (int i = 0; i < headers.length; i += 2) {
                request.setHeader(headers[i], headers[i + 1]);
            }
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body(), response);
        }

        HttpClient http() {
            return http;
        }

        @Override
        public void close() {
            http.shutdownNow();
        }
    }
}
