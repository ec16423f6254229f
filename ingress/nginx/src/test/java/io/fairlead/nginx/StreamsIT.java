package io.fairlead.nginx;

import static io.fairlead.nginx.Manifests.ingress;
import static io.fairlead.nginx.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Long answers go on whatever changes around them.
@RequiresRoot
final class StreamsIT {
    private static final int LENGTH = 64 << 20;

    private Endpoints endpoints;
    private @Nullable Door started;

    @BeforeEach
    void open() throws IOException {
        endpoints = new Endpoints();
    }

    @AfterEach
    void shut() throws IOException {
        if (started != null) {
            started.close();
        }
        endpoints.close();
    }

    private Door start(int mostOldWorkers) {
        IngressConfig usual = Door.config(Door.makeFolder(), true, IngressConfig.Sources.NONE);
        Door door = new Door(new IngressConfig(
                usual.place(),
                usual.program(),
                usual.ownership(),
                usual.certificate(),
                usual.sources(),
                usual.addresses(),
                usual.identity(),
                usual.reloadInterval(),
                mostOldWorkers));
        started = door;
        door.apply(Manifests.CLASS
                + service("hello", 8080, "10.244.1.1")
                + ingress("door", "", "a.example.com", "")
                + service("stream", 8087, "10.244.1.1")
                + ingress("grpc", "fairlead.io/backend-protocol: GRPC", "g.example.com", "")
                        .replace("name: hello", "name: stream"));
        Door.until("served", () -> http().startsWith("10.244.1.1 "));
        return door;
    }

    private static String http() {
        return Door.curl("http://a.example.com:%d/".formatted(Door.HTTP));
    }

    /// A download whose client has read a first piece.
    private static Socket download() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Door.HTTP);
        socket.getOutputStream()
                .write("GET /large/x HTTP/1.1\r\nHost: a.example.com\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(Endpoints.readHead(socket.getInputStream())).contains("200 OK");
        assertThat(socket.getInputStream().readNBytes(1 << 20)).hasSize(1 << 20);
        return socket;
    }

    private static void finish(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        assertThat(in.readNBytes(LENGTH - (1 << 20))).hasSize(LENGTH - (1 << 20));
        assertThat(in.read()).isEqualTo(-1);
    }

    /// An Ingress with a set of options that no Ingress used before: it needs a reload.
    private static void addStructure(Door door, int number) {
        door.apply(ingress(
                "structure-" + number,
                "fairlead.io/proxy-body-size: %dk".formatted(100 + number),
                "s%d.example.com".formatted(number),
                ""));
    }

    private static boolean isServed(int number) {
        return Door.curl("http://s%d.example.com:%d/".formatted(number, Door.HTTP))
                .startsWith("10.244.1.");
    }

    @Test
    void downloads_and_grpc_streams_go_on_through_a_thousand_changes_of_endpoints() throws Exception {
        Door door = start(IngressConfig.MOST_OLD_WORKERS);
        long reloads = door.settledReloads();
        Process stream = new ProcessBuilder(
                        "curl",
                        "-sk",
                        "--http2",
                        "--max-time",
                        "60",
                        "-o",
                        "/dev/null",
                        "-w",
                        "%{http_code} %{size_download}",
                        "-H",
                        "Content-Type: application/grpc",
                        "--data-binary",
                        "x",
                        "--connect-to",
                        "::127.0.0.1:",
                        "https://g.example.com:%d/p.S/Stream".formatted(Door.HTTPS))
                .start();
        try (Socket socket = download()) {
            for (int i = 0; i < 1000; i++) {
                door.apply(service("hello", 8080, "10.244.1." + (2 + i % 50))
                        + service("stream", 8087, "10.244.1." + (2 + i % 50)));
                TimeUnit.MILLISECONDS.sleep(1);
            }
            Door.until("the last change has its effect", () -> http().startsWith("10.244.1.51 "));
            finish(socket);
        }
        String answer = new String(stream.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer).isEqualTo("200 " + Endpoints.STREAM);
        assertThat(door.controller.reloads()).isEqualTo(reloads);
    }

    @Test
    void a_download_outlives_the_reload_that_came_in_its_middle() throws Exception {
        Door door = start(IngressConfig.MOST_OLD_WORKERS);
        long reloads = door.settledReloads();
        try (Socket socket = download()) {
            addStructure(door, 1);
            Door.until("reloaded", () -> isServed(1));
            assertThat(door.controller.reloads()).isGreaterThan(reloads);
            finish(socket);
        }
    }

    @Test
    void a_reload_waits_while_too_many_old_workers_finish_and_nothing_else_does() throws Exception {
        Door door = start(1);
        door.settledReloads();
        try (Socket held = download()) {
            addStructure(door, 1);
            Door.until("the first reload is free", () -> isServed(1));
            addStructure(door, 2);
            Door.until("it waits", () -> door.controller.metrics().contains("reload_waits_total 1"));
            door.apply(service("hello", 8080, "10.244.1.9"));
            Door.until("endpoints do not wait", () -> http().startsWith("10.244.1.9 "));
            door.apply(ingress("plain", "", "s3.example.com", ""));
            Door.until("routes do not wait", () -> isServed(3));
            assertThat(isServed(2)).isFalse();
            finish(held);
        }
        Door.until("its turn came", () -> isServed(2));
    }

    @Test
    void a_download_is_finished_and_no_client_is_let_in_when_the_controller_leaves() throws Exception {
        Door door = start(IngressConfig.MOST_OLD_WORKERS);
        door.settledReloads();
        try (Socket socket = download();
                TaskGroup tasks = new TaskGroup("end")) {
            door.abandon();
            tasks.run("drain", () -> door.controller.drain(Duration.ofSeconds(30)));
            Door.until("no new client", () -> http().startsWith("\n000 "));
            assertThat(ProcessHandle.of(door.pid())).as("it finishes first").isPresent();
            finish(socket);
            Door.until("nginx ended", () -> ProcessHandle.of(door.pid()).isEmpty());
        }
    }
}
