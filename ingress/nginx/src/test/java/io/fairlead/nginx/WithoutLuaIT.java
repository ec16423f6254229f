package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An nginx that does not load the Lua module: upstreams are addresses of Services, and certificates reload.
@RequiresRoot
final class WithoutLuaIT {
    private static Endpoints endpoints;
    private Door door;

    @BeforeAll
    static void open() throws IOException {
        endpoints = new Endpoints();
    }

    @AfterAll
    static void shut() throws IOException {
        endpoints.close();
    }

    @BeforeEach
    void start() {
        door = new Door(Door.config(Door.makeFolder(), false, IngressConfig.Sources.NONE));
        door.apply(Manifests.CLASS);
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
    }

    private static String http(String host, String path, String... more) {
        List<String> words = new ArrayList<>(List.of("http://%s:%d%s".formatted(host, Door.HTTP, path)));
        words.addAll(List.of(more));
        return Door.curl(words.toArray(String[]::new));
    }

    /// A Service whose address is one of this machine, so that what answers is the address and not an endpoint.
    private static String reachable(String name, String vip, String endpoint) {
        return service(name, 8080, endpoint)
                .replace(
                        "clusterIP: 10.96.0.1, ports: [{name: http, port: 80}]",
                        "clusterIP: " + vip + ", ports: [{name: http, port: 8080}]");
    }

    private static String rule(String name, String annotations, String host, String... paths) {
        StringBuilder list = new StringBuilder();
        for (String path : paths) {
            String[] words = path.split(" ", -1);
            list.append("{path: \"%s\", pathType: %s, backend: {service: {name: %s, port: {name: http}}}},"
                    .formatted(words[0], words[1], words[2]));
        }
        return """
            ---
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: %s, annotations: {%s}}
            spec: {ingressClassName: fairlead, rules: [{host: "%s", http: {paths: [%s]}}]}
            """.formatted(name, annotations, host, list);
    }

    @Test
    void nginx_has_no_lua_and_requests_go_to_the_address_of_the_service() throws IOException {
        door.apply(
                reachable("hello", "10.244.1.100", "10.244.1.1") + rule("door", "", "a.example.com", "/ Prefix hello"));
        Door.until("served", () -> http("a.example.com", "/x").startsWith("10.244.1.100 /x"));
        assertThat(Files.readString(door.folder.resolve("nginx.conf"))).doesNotContainIgnoringCase("lua");
        long reloads = door.settledReloads();
        door.apply(reachable("hello", "10.244.1.100", "10.244.1.2"));
        door.apply(reachable("hello", "10.244.1.100", "10.244.1.3"));
        assertThat(door.settledReloads())
                .as("endpoints are left to the node's proxy")
                .isEqualTo(reloads);
        door.apply(service("hello", 8080));
        Door.until("without endpoints", () -> http("a.example.com", "/").contains("503"));
    }

    @Test
    void paths_and_hosts_have_the_same_precedence_as_with_lua() {
        door.apply(reachable("foo", "10.244.1.11", "10.244.1.1")
                + reachable("bar", "10.244.1.12", "10.244.1.1")
                + reachable("re", "10.244.1.13", "10.244.1.1")
                + reachable("wild", "10.244.1.14", "10.244.1.1")
                + rule("paths", "", "p.example.com", "/foo Prefix foo", "/foo Exact bar", "/a/b/ Prefix bar")
                + rule("wild", "", "*.example.com", "/ Prefix wild")
                + rule(
                        "regex",
                        "fairlead.io/use-regex: \"true\", fairlead.io/rewrite-target: /$1",
                        "r.example.com",
                        "/api/v[0-9]+/(.*) ImplementationSpecific re"));
        answers("p.example.com", "/foo", "10.244.1.12 ");
        answers("p.example.com", "/foo/x", "10.244.1.11 /foo/x");
        answers("p.example.com", "/a/b", "10.244.1.12 /a/b\n");
        answers("x.example.com", "/", "10.244.1.14 ");
        answers("r.example.com", "/api/v12/users", "10.244.1.13 /users");
        assertThat(http("p.example.com", "/foobar")).contains("404");
        assertThat(http("x.y.example.com", "/")).contains("404");
        assertThat(http("r.example.com", "/api/users")).contains("404");
    }

    /// For a moment after a reload the old workers may still take a request.
    private void answers(String host, String path, String begin) {
        Door.until(host + path, () -> http(host, path).startsWith(begin));
    }

    @Test
    void options_that_nginx_has_itself_hold_and_what_needs_lua_is_left_out_with_a_reason() {
        String all = "/ Prefix foo";
        door.apply(reachable("foo", "10.244.1.11", "10.244.1.1")
                + secret("users", "none")
                + rule("moved", "fairlead.io/permanent-redirect: \"https://new.test/$x\"", "m.example.com", all)
                + rule("only", "fairlead.io/allowlist-source-range: 10.1.2.0/24", "o.example.com", all)
                + rule("auth", "fairlead.io/auth-type: basic, fairlead.io/auth-secret: users", "u.example.com", all)
                + rule("vhost", "fairlead.io/upstream-vhost: inner.test", "v.example.com", all)
                + rule("cookie", "fairlead.io/affinity: cookie", "c.example.com", all));
        Door.until("served", () -> http("v.example.com", "/").contains("Host: inner.test"));
        assertThat(http("m.example.com", "/", "-i")).contains("301").contains("Location: https://new.test/$x");
        assertThat(http("o.example.com", "/")).contains("403");
        assertThat(http("o.example.com", "/", "--interface", "10.1.2.3")).startsWith("10.244.1.11 ");
        assertThat(http("u.example.com", "/")).contains("401");
        assertThat(http("u.example.com", "/", "-u", "user:secret")).startsWith("10.244.1.11 ");
        assertThat(http("c.example.com", "/")).contains("404");
        assertThat(door.applied().faults().values())
                .containsExactly(List.of("affinity: needs the Lua module of nginx"));
    }

    @Test
    void a_rotated_certificate_is_a_reload_and_a_broken_one_leaves_out_its_ingress_alone() {
        String tls = "{hosts: [t.example.com], secretName: cert}";
        String broken = "{hosts: [b.example.com], secretName: broken}";
        door.apply(service("hello", 8080, "10.244.1.1")
                + secret("cert", Door.certificate("first.test"))
                + secret("broken", "-----BEGIN CERTIFICATE-----\nno\n-----BEGIN PRIVATE KEY-----\n")
                + ingress("broken", "", "b.example.com", broken)
                + ingress("door", "", "t.example.com", tls));
        Door.until("certificate", () -> shown("t.example.com").contains("first.test"));
        assertThat(shown("other.test")).contains("default.test");
        assertThat(door.applied().faults()).containsOnlyKeys(new io.fairlead.api.NamespacedName("default", "broken"));
        door.apply(secret("cert", Door.certificate("second.test")));
        Door.until("rotated", () -> shown("t.example.com").contains("second.test"));
        door.apply(secret("broken", Door.certificate("mended.test")));
        Door.until("mended", () -> shown("b.example.com").contains("mended.test"));
    }

    private static String shown(String name) {
        return Command.run(
                        List.of("openssl", "s_client", "-connect", "127.0.0.1:" + Door.HTTPS, "-servername", name), "")
                .output();
    }
}
