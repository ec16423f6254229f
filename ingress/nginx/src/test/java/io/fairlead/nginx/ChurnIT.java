package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.secret;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.SteadyClients;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients do not notice what changes around them: endpoints every 50 ms, certificates, Ingresses of others.
@RequiresRoot
final class ChurnIT {
    private static final int STEPS = 100;
    private static final String TLS = "{hosts: [tls.example.com], secretName: rotated}";

    private Endpoints endpoints;
    private Door door;
    private String pem;

    @BeforeEach
    void start() throws IOException {
        endpoints = new Endpoints();
        pem = Door.certificate("tls.example.com");
        door = new Door(Door.makeFolder());
        door.apply(Manifests.CLASS
                + service("hello", 8080, "10.244.1.1")
                + service("sockets", 8081, "10.244.1.1")
                + ingress("door", "", "a.example.com", "")
                + ingress("sockets", "", "w.example.com", "").replace("name: hello", "name: sockets"));
        Door.until(
                "served",
                () -> Door.curl("http://a.example.com:%d/".formatted(Door.HTTP)).startsWith("10.244.1.1 "));
        Door.until(
                "the other too",
                () -> door.applied().hosts().find("w.example.com").isPresent());
    }

    @AfterEach
    void stop() throws IOException {
        door.close();
        endpoints.close();
    }

    /// One change of everything; every fifth also of what is not ours: added, broken, made good, removed.
    private void step(int number) {
        String last = "10.244.1." + (1 + number % 50);
        Snapshot next = Door.with(door.snapshot(), service("hello", 8080, last) + service("sockets", 8081, last));
        if (number % 5 == 0) {
            String other = "other-" + number % 20;
            next = Door.with(
                    next,
                    secret("rotated", number % 2 == 0 ? pem : "no certificate")
                            + ingress("tls", "", "tls.example.com", TLS)
                            + ingress(
                                    other,
                                    "fairlead.io/limit-rps: " + (number % 2 == 0 ? "bad" : "5"),
                                    other + ".test",
                                    ""));
            Snapshot before = next;
            next = next.ingresses()
                    .find(new NamespacedName("default", "other-" + (number + 10) % 20))
                    .map(before::without)
                    .orElse(next);
        }
        door.offer(next);
    }

    private SteadyClients.Seen churn(boolean structures) throws InterruptedException {
        try (SteadyClients clients = new SteadyClients(Door.HTTP, "a.example.com", "w.example.com")) {
            Door.until("all WebSockets are open", () -> clients.seen().opened() == SteadyClients.HOLDING);
            for (int i = 0; i < STEPS; i++) {
                step(i);
                if (structures && i % 40 == 20) {
                    door.apply(
                            ingress("structure", "fairlead.io/proxy-body-size: %dk".formatted(50 + i), "s.test", ""));
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            return clients.finish();
        }
    }

    @Test
    void no_request_fails_and_no_websocket_ends_while_endpoints_certificates_and_ingresses_change() throws Exception {
        long reloads = door.settledReloads();
        SteadyClients.Seen seen = churn(false);
        assertThat(seen.failed()).as("%s", seen.faults()).isZero();
        assertThat(seen.retried()).as("not one connection broke").isZero();
        assertThat(seen.closed()).as("%s", seen.faults()).isZero();
        assertThat(seen.asked()).isGreaterThan(100);
        assertThat(door.controller.reloads()).isEqualTo(reloads);
    }

    @Test
    void clients_are_asked_to_leave_before_a_reload_and_who_asks_once_more_sees_no_failure() throws Exception {
        long reloads = door.settledReloads();
        SteadyClients.Seen seen = churn(true);
        assertThat(door.settledReloads()).isGreaterThan(reloads);
        assertThat(seen.left()).as("answers that ended their connection").isPositive();
        assertThat(seen.failed()).as("%s", seen.faults()).isZero();
        assertThat(seen.closed()).as("%s", seen.faults()).isZero();
    }
}
