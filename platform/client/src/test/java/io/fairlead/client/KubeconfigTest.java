package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.ParseException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    @TempDir
    private Path directory;

    private Path written(String text) throws IOException {
        return Files.writeString(directory.resolve("config"), text);
    }

    @Test
    void what_is_written_is_read_back() {
        Path file = directory.resolve("new/kubeconfig");
        for (ClusterAccess access : new ClusterAccess[] {
            ClusterAccess.of(URI.create("http://127.0.0.1:8080")),
            new ClusterAccess(URI.create("https://[fd00::1]:6443/p"), "t", new ClusterAccess.Tls("ca", "cert", "key")),
            new ClusterAccess(URI.create("https://a"), "", ClusterAccess.Tls.NONE, "/run/token"),
            new ClusterAccess(
                    URI.create("https://a"),
                    "",
                    ClusterAccess.Tls.NONE,
                    "",
                    new ClusterAccess.Way(true, "b", Optional.of(URI.create("http://c:3128"))),
                    Optional.of(new CredentialPlugin(
                            "client.authentication.k8s.io/v1", "x", List.of("y"), Map.of("A", "b"), "", "get it")))
        }) {
            Kubeconfig.write(file, access);
            assertThat(Kubeconfig.read(file)).isEqualTo(access);
        }
    }

    @Test
    void only_its_owner_may_read_it_and_nothing_is_left_beside_it() throws Exception {
        Path file = directory.resolve("kubeconfig");
        Kubeconfig.write(file, ClusterAccess.of(URI.create("http://a"), "secret"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void the_current_context_of_a_file_of_kubectl_counts() throws Exception {
        Files.writeString(directory.resolve("ca.crt"), "authority");
        Path file = written("""
            apiVersion: v1
            kind: Config
            current-context: second
            clusters:
            - name: other
              cluster: {server: "http://other"}
            - name: mine
              cluster:
                certificate-authority: ca.crt
                server: https://mine:6443
            contexts:
            - name: first
              context: {cluster: other, user: nobody}
            - name: second
              context:
                cluster: mine
                user: me
                namespace: ignored
            users:
            - name: me
              user:
                token: abc
                client-certificate-data: Y2VydA==
                client-key-data: a2V5
            """);
        assertThat(Kubeconfig.read(file))
                .isEqualTo(new ClusterAccess(
                        URI.create("https://mine:6443"), "abc", new ClusterAccess.Tls("authority", "cert", "key")));
    }

    @Test
    void another_context_counts_where_it_is_named() throws Exception {
        Path file = written("""
            {current-context: a,
             contexts: [{name: a, context: {cluster: one}}, {name: b, context: {cluster: two}}],
             clusters: [{name: one, cluster: {server: 'http://one'}}, {name: two, cluster: {server: 'http://two'}}]}
            """);
        assertThat(Kubeconfig.read(file, "b").server()).isEqualTo(URI.create("http://two"));
        assertThat(Kubeconfig.read(file, "").server()).isEqualTo(URI.create("http://one"));
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> Kubeconfig.read(file, "c"))
                .withMessageContaining("context: contexts has no item named \"c\"");
    }

    @Test
    void a_fault_names_the_file_and_the_field() throws Exception {
        assertFault("{}", "current-context: Required value");
        assertFault("{current-context: a}", "current-context: contexts has no item named \"a\"");
        assertFault(
                "{current-context: a, contexts: [{name: a, context: {cluster: c}}], clusters: [{name: c, cluster:"
                        + " {}}]}",
                "cluster.server: Required value");
        assertFault(
                withUser("exec: {command: x}"), "user.exec.apiVersion: \"\" must be client.authentication.k8s.io/v1");
        assertFault(withUser("exec: {apiVersion: client.authentication.k8s.io/v1}"), "user.exec.command: Required");
        assertFault(withCluster("insecure-skip-tls-verify: x"), "cluster.insecure-skip-tls-verify: must be true or");
        assertFault(
                withCluster("insecure-skip-tls-verify: true, certificate-authority-data: YQ=="),
                "cluster.insecure-skip-tls-verify: may not be true where there is a certificate-authority");
        for (String proxy : List.of("socks4://127.0.0.1:1080", "https://a:3128", "http://me:secret@a:3128")) {
            assertFault(withCluster("proxy-url: '%s'".formatted(proxy)), "cluster.proxy-url: must be http://HOST:PORT");
        }
        assertFault(withUser("client-key: missing.pem"), "missing.pem");
        assertFault(withUser("client-key-data: '?'"), "client-key-data: is no base64");
        assertFault("a: [", "line");
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> Kubeconfig.read(directory.resolve("nowhere")))
                .withMessageContaining("nowhere cannot be read");
    }

    @Test
    void what_would_have_to_be_left_out_silently_is_refused_by_its_name() throws Exception {
        for (String field : List.of("auth-provider", "username", "password", "as", "as-groups")) {
            assertFault(withUser(field + ": [x]"), "user.%s: is not supported".formatted(field));
        }
    }

    @Test
    void a_field_that_says_nothing_is_no_fault() throws Exception {
        assertThat(Kubeconfig.read(written(withUser("exec: null, as: '', as-groups: []"))))
                .isNotNull();
        assertThat(Kubeconfig.read(written(withCluster("insecure-skip-tls-verify: false, proxy-url: ''"))))
                .isNotNull();
    }

    @Test
    void a_token_in_a_file_beside_it_is_read_for_each_request() throws Exception {
        ClusterAccess access = Kubeconfig.read(written(withUser("token: old, tokenFile: token")));
        assertThatExceptionOfType(ApiException.class)
                .as("the token may come late")
                .isThrownBy(access::bearer)
                .withMessageContaining(directory.resolve("token").toString());
        Files.writeString(directory.resolve("token"), "one\n");
        assertThat(access.bearer()).isEqualTo("one");
        Files.writeString(directory.resolve("token"), "two\n");
        assertThat(access.bearer()).isEqualTo("two");
    }

    private static String withCluster(String rest) {
        return "{current-context: a, contexts: [{name: a, context: {cluster: c}}], "
                + "clusters: [{name: c, cluster: {server: 'http://a', %s}}]}".formatted(rest);
    }

    private static String withUser(String user) {
        return "{current-context: a, contexts: [{name: a, context: {cluster: c, user: u}}], "
                + "clusters: [{name: c, cluster: {server: 'http://a'}}], users: [{name: u, user: {%s}}]}"
                        .formatted(user);
    }

    private void assertFault(String text, String message) throws IOException {
        Path file = written(text);
        assertThatExceptionOfType(ParseException.class)
                .isThrownBy(() -> Kubeconfig.read(file))
                .withMessageStartingWith("kubeconfig " + file)
                .withMessageContaining(message);
    }
}
