package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.routes.NginxLayout;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Services that are not a ClusterIP with endpoints: names outside, and those without an address of their own.
@RequiresRoot
final class BackendsIT {
    private static final int NAMES = 10053;

    private Endpoints endpoints;
    private NameServer names;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        endpoints = new Endpoints();
        names = new NameServer(NAMES, "10.244.1.20");
        IngressConfig usual = Door.config(Door.makeFolder(), true, IngressConfig.Sources.NONE);
        NginxLayout place = usual.place();
        door = new Door(new IngressConfig(
                new NginxLayout(
                        place.folder(),
                        place.user(),
                        place.modules(),
                        true,
                        List.of("127.0.0.1:" + NAMES),
                        place.httpPort(),
                        place.httpsPort()),
                usual.program(),
                usual.ownership(),
                usual.certificate(),
                usual.sources(),
                usual.addresses(),
                usual.identity(),
                usual.reloadInterval(),
                usual.mostOldWorkers()));
        door.apply(Manifests.CLASS
                + external("outside", 8080)
                + external("secure", 8444)
                + service("bare", 8080, "10.244.1.30").replace("clusterIP: 10.96.0.1", "clusterIP: None")
                + rule("outside", "", "o.example.com")
                + rule("secure", "fairlead.io/backend-protocol: HTTPS", "s.example.com")
                + rule("bare", "", "b.example.com"));
        Door.until("served", () -> get("b").startsWith("10.244.1.30 "));
    }

    private static String external(String name, int port) {
        return """
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {type: ExternalName, externalName: %s.outside.test, ports: [{name: http, port: %d}]}
            """.formatted(name, name, port);
    }

    private static String rule(String service, String annotations, String host) {
        return ingress(service, annotations, host, "")
                .replace("name: hello, port: {number: 80}", "name: %s, port: {name: http}".formatted(service));
    }

    private static String get(String host) {
        return Door.curl("http://%s.example.com:%d/".formatted(host, Door.HTTP));
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
        names.close();
        endpoints.close();
    }

    @Test
    void the_name_of_an_external_service_is_resolved_when_it_is_asked_for() {
        Door.until("by its first address", () -> get("o").startsWith("10.244.1.20 "));
        Door.until("with TLS, by its own name", () -> get("s").startsWith("10.244.1.20 https secure.outside.test"));
        long reloads = door.settledReloads();
        names.move("10.244.1.21");
        Door.until("by its next address", () -> get("o").startsWith("10.244.1.21 "));
        assertThat(door.controller.reloads()).isEqualTo(reloads);
    }

    @Test
    void a_headless_service_is_reached_by_its_endpoints() {
        door.apply(service("bare", 8080, "10.244.1.31").replace("clusterIP: 10.96.0.1", "clusterIP: None"));
        Door.until("by the next endpoint", () -> get("b").startsWith("10.244.1.31 "));
    }
}
