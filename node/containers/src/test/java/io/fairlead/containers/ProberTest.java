package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Probes against a real server on the loopback.
final class ProberTest {
    private static final Ip LOCAL = Ip.parse("127.0.0.1");
    /// No probe here asks inside of it.
    private static final RuntimeContainer WITHOUT_PROGRAMS = new RuntimeContainer() {
        @Override
        public void start() {}

        @Override
        public Processes processes() {
            return new Processes(new ProcessId(0, 0), 0);
        }

        @Override
        public Ending ending() {
            return Ending.UNKNOWN;
        }

        @Override
        public void signal(String signal) {}

        @Override
        public List<String> enter(List<String> command, boolean tty) {
            return command;
        }
    };

    private final AtomicInteger code = new AtomicInteger(503);
    private final AtomicInteger rings = new AtomicInteger();
    private final TaskGroup tasks = new TaskGroup("prober-test");
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ready", exchange -> {
            exchange.sendResponseHeaders(code.get(), -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        tasks.close();
        server.stop(0);
    }

    @Test
    void an_http_probe_follows_what_the_container_answers() {
        Prober prober =
                run("{'httpGet': {'port': 'web', 'path': '/ready'}, 'periodSeconds': 1, 'failureThreshold': 1}");

        assertThat(prober.isReady()).isFalse();
        code.set(302);
        await().atMost(Duration.ofSeconds(10)).until(prober::isReady);
        code.set(404);
        await().atMost(Duration.ofSeconds(10)).until(() -> !prober.isReady());
        await().untilAtomic(rings, org.hamcrest.Matchers.is(2));
    }

    @Test
    void a_tcp_probe_is_content_with_a_connection() {
        Prober prober =
                run("{'tcpSocket': {'port': %d}}".formatted(server.getAddress().getPort()));

        await().atMost(Duration.ofSeconds(10)).until(prober::isReady);
    }

    private Prober run(String probe) {
        Pod.Container container = TestPods.parse(
                        "{'spec': {'containers': [{'name': 'echo', 'ports': [{'name': 'web', 'containerPort': %d}], 'readinessProbe': %s}]}}"
                                .formatted(server.getAddress().getPort(), probe))
                .spec()
                .containers()
                .getFirst();
        Prober prober = new Prober(container.readinessProbe(), false);
        ProbeQuestion question = new ProbeQuestion(container, LOCAL, WITHOUT_PROGRAMS);
        tasks.run("probe", () -> prober.run(question, () -> true, rings::incrementAndGet));
        return prober;
    }
}
