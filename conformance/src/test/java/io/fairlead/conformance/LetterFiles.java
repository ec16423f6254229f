package io.fairlead.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;

/// What the cluster of [LetterIT] is started with.
record LetterFiles(Path folder) {
    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(LetterIT.class.getResourceAsStream("letter/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// A Secret with a certificate that no client trusts.
    String certificate() throws Exception {
        Path key = folder.resolve("tls.key");
        Path pem = folder.resolve("tls.crt");
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:P-256",
                        "-nodes",
                        "-keyout",
                        key.toString(),
                        "-out",
                        pem.toString(),
                        "-subj",
                        "/CN=web",
                        "-days",
                        "1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        assertThat(openssl.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Base64.Encoder base64 = Base64.getEncoder();
        return """
            apiVersion: v1
            kind: Secret
            metadata: {name: web-tls}
            type: kubernetes.io/tls
            data:
              tls.crt: %s
              tls.key: %s
            """.formatted(
                        base64.encodeToString(Files.readAllBytes(pem)), base64.encodeToString(Files.readAllBytes(key)));
    }

    static void soon(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(condition);
    }
}
