package io.fairlead.conformance.attacks;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// A client of an API server on loopback, with a token or without a name, that also sends what no honest client does.
record Intruder(SSLContext tls, HttpClient http, int port, String token) implements AutoCloseable {
    /// What came back.
    record Reply(int code, String text) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Trusts the authority in `folder`, the server's; an empty token is no name.
    static Intruder at(Path folder, int port, String token) throws IOException, GeneralSecurityException {
        SSLContext tls = trusting(folder.resolve("pki/ca.crt"));
        return new Intruder(tls, HttpClient.newBuilder().sslContext(tls).build(), port, token);
    }

    private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    Reply get(String path) throws IOException, InterruptedException {
        return send("GET", path, "");
    }

    Reply post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    Reply send(String method, String path, String body) throws IOException, InterruptedException {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return send(method, path, type, body);
    }

    Reply send(String method, String path, String type, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(PATIENCE);
        if (!body.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body());
    }

    /// A connection on which nothing was said yet.
    Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /// A connection with TLS on which nothing was asked yet.
    SSLSocket greet(String... protocols) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(connect(), "127.0.0.1", port, true);
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /// A connection on which so much of a request was sent; `TOKEN` in it is this client's.
    SSLSocket say(String text) throws IOException {
        SSLSocket socket = greet();
        write(socket, text);
        return socket;
    }

    void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.replace("TOKEN", token).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
