package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.Mounts;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A control plane whose disk is full: it refuses writes, serves reads, starts again, and goes on when there is room.
@RequiresRoot
final class FullDiskIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final NamespacedName KEPT = new NamespacedName("default", "kept");

    @TempDir
    private Path folder;

    private Path disk;
    private @Nullable Launched server;

    @BeforeEach
    void mount() throws IOException {
        disk = Files.createDirectory(folder.resolve("disk"));
        Mounts.memory(disk, 16 << 20, "0700");
    }

    @AfterEach
    void unmount() throws Exception {
        if (server != null) {
            server.end();
        }
        Mounts.detach(disk);
    }

    private ApiClient start() throws Exception {
        Path state = disk.resolve("state");
        Launched started = Launched.start(folder, "server", "--dir", state.toString(), "--bind", "127.0.0.1:16447");
        server = started;
        await().atMost(LIMIT).until(() -> {
            started.requireAlive();
            return Files.exists(state.resolve("kubeconfig"));
        });
        ApiClient client = new ApiClient(Kubeconfig.read(state.resolve("kubeconfig")));
        await().atMost(LIMIT).until(client::isReady);
        return client;
    }

    private static ObjectNode configMap(String name, int bytes) {
        ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        object.putObject("metadata").put("namespace", "default").put("name", name);
        object.putObject("data").put("text", "x".repeat(bytes));
        return object;
    }

    private void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(disk.resolve("filler" + System.nanoTime()))) {
            byte[] page = new byte[4096];
            while (true) {
                out.write(page);
            }
        } catch (IOException full) {
            assertThat(disk.toFile().getUsableSpace()).isLessThan(64 << 10);
        }
    }

    private static int codeOfWrite(ApiClient client, String name) throws InterruptedException {
        try {
            client.create(Kind.CONFIG_MAP, configMap(name, 500_000));
            return 201;
        } catch (ApiException e) {
            return e.code();
        }
    }

    @Test
    void a_full_disk_refuses_writes_serves_reads_over_a_restart_and_recovers() throws Exception {
        try (ApiClient client = start()) {
            client.create(Kind.CONFIG_MAP, configMap("kept", 10));
            fill();
            assertThat(codeOfWrite(client, "large"))
                    .as(Objects.requireNonNull(server).output())
                    .isEqualTo(503);
            assertThat(client.get(Kind.CONFIG_MAP, KEPT)).isNotNull();
        }
        assertThat(Objects.requireNonNull(server).end().output().length()).isLessThan(20_000);
        fill(); // what the end of the program gave back

        try (ApiClient client = start()) {
            assertThat(client.get(Kind.CONFIG_MAP, KEPT)).isNotNull();
            assertThat(codeOfWrite(client, "large")).isEqualTo(503);
            try (var files = Files.list(disk)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
            await().atMost(LIMIT).until(() -> codeOfWrite(client, "large") == 201);
            await().atMost(LIMIT).until(client::isReady);
        }
    }
}
