package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/// One self-signed certificate that serves as authority, server and client.
record TestCertificate(KeyStore store, String certificate, String key) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final Map<String, TestCertificate> MADE = new HashMap<>();

    /// For a server of these names and addresses, such as `ip:127.0.0.1`; made once, for it takes a second.
    static synchronized TestCertificate make(Path directory, String names) throws Exception {
        if (!MADE.containsKey(names)) {
            MADE.put(names, generate(directory, names));
        }
        return MADE.get(names);
    }

    private static TestCertificate generate(Path directory, String names) throws Exception {
        Path file = directory.resolve(names.replaceAll("\\W", "-") + ".p12");
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
                "san=" + names);
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new TestCertificate(
                store,
                pem("CERTIFICATE", store.getCertificate("me").getEncoded()),
                pem("PRIVATE KEY", store.getKey("me", PASSWORD).getEncoded()));
    }

    static String pem(String type, byte[] bytes) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(bytes), type);
    }

    /// A context that shows this certificate, and trusts it alone.
    SSLContext context() throws GeneralSecurityException, IOException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD);
        trusted.setCertificateEntry("me", store.getCertificate("me"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /// Where such a server listens on loopback.
    SSLServerSocket listening() throws Exception {
        return listening(context());
    }

    static SSLServerSocket listening(SSLContext context) throws Exception {
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    String certificateData() {
        return Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.UTF_8));
    }
}
