package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.base64;
import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients that show certificates, and those that do not.
@RequiresRoot
final class ClientCertificatesIT {
    static final Set<String> SHOWN = Set.of(
            "auth-tls-secret",
            "auth-tls-verify-client",
            "auth-tls-verify-depth",
            "auth-tls-error-page",
            "auth-tls-pass-certificate-to-upstream");

    @TempDir
    Path folder;

    private void openssl(String line) {
        Command.Result made = Command.run(List.of("sh", "-c", "cd " + folder + " && openssl " + line), "");
        assertThat(made.succeeded()).as(made.errors()).isTrue();
    }

    /// An authority, two that follow from it, and two clients: one of the first, one of the last.
    private void certificates() throws IOException {
        Files.writeString(folder.resolve("ca.ext"), "basicConstraints=critical,CA:TRUE\n");
        String key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        openssl("req -x509 " + key + " -days 2 -subj /CN=root -keyout root.key -out root.crt");
        for (String[] pair : new String[][] {{"middle", "root"}, {"lower", "middle"}}) {
            openssl("req %2$s -subj /CN=%1$s -keyout %1$s.key -out %1$s.csr".formatted(pair[0], key));
            openssl(("x509 -req -in %1$s.csr -CA %2$s.crt -CAkey %2$s.key -CAcreateserial -days 2 -extfile ca.ext"
                            + " -out %1$s.crt")
                    .formatted(pair[0], pair[1]));
        }
        for (String[] pair : new String[][] {{"near", "root"}, {"far", "lower"}}) {
            openssl("req %2$s -subj /CN=%1$s -keyout %1$s.key -out %1$s.csr".formatted(pair[0], key));
            openssl("x509 -req -in %1$s.csr -CA %2$s.crt -CAkey %2$s.key -CAcreateserial -days 2 -out %1$s.crt"
                    .formatted(pair[0], pair[1]));
        }
        Files.writeString(
                folder.resolve("far.crt"),
                Files.readString(folder.resolve("far.crt"))
                        + Files.readString(folder.resolve("lower.crt"))
                        + Files.readString(folder.resolve("middle.crt")));
    }

    private String https(String host, String client) {
        List<String> words = new ArrayList<>(List.of("https://%s.example.com:%d/".formatted(host, Door.HTTPS)));
        if (!client.isEmpty()) {
            words.addAll(List.of(
                    "--cert", folder.resolve(client + ".crt").toString(),
                    "--key", folder.resolve(client + ".key").toString()));
        }
        return Door.curl(words.toArray(String[]::new));
    }

    private static String rule(String name, String more) {
        return ingress(
                name, "nginx.ingress.kubernetes.io/auth-tls-secret: default/clients" + more, name + ".example.com", "");
    }

    @Test
    void only_clients_with_a_certificate_of_the_authority_are_let_in() throws IOException {
        certificates();
        try (Endpoints _ = new Endpoints();
                Door door = new Door(Door.makeFolder())) {
            door.apply(Manifests.CLASS
                    + service("hello", 8080, "10.244.1.1")
                    + "---\n{apiVersion: v1, kind: Secret, metadata: {name: clients}, data: {ca.crt: %s}}\n"
                            .formatted(base64(Files.readString(folder.resolve("root.crt"))))
                    + rule("must", "")
                    + rule("may", ", fairlead.io/auth-tls-verify-client: optional")
                    + rule("off", ", fairlead.io/auth-tls-verify-client: \"off\"")
                    + rule("deep", ", fairlead.io/auth-tls-verify-depth: \"2\"")
                    + rule("sent", ", fairlead.io/auth-tls-error-page: https://help.test/why")
                    + rule("shown", ", fairlead.io/auth-tls-pass-certificate-to-upstream: \"true\"")
                    + ingress("open", "", "open.example.com", ""));
            Door.until("served", () -> https("shown", "near").contains("\n200 "));
            assertThat(https("must", "")).contains("\n400 ");
            assertThat(https("must", "near")).contains("\n200 ").contains("Ssl-client-verify: SUCCESS");
            assertThat(https("must", "far"))
                    .as("more than one authority between")
                    .contains("\n400 ");
            assertThat(https("deep", "far")).contains("\n200 ");
            assertThat(https("may", "")).contains("\n200 ");
            assertThat(https("may", "far")).contains("\n400 ");
            assertThat(https("off", "")).contains("\n200 ");
            assertThat(https("sent", "")).contains("\n302 https://help.test/why");
            assertThat(https("shown", "near")).contains("Ssl-client-cert: -----BEGIN%20CERTIFICATE");
            assertThat(Door.curl("https://open.example.com:%d/".formatted(Door.HTTPS), "-H", "Host: must.example.com"))
                    .as("checked for no name is not checked for this one")
                    .contains("\n400 ");
        }
    }
}
