package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Cidr;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.kubectl.CommandException;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a proxy waits for, and when it ends to be started again.
@Timeout(60)
final class ProxyProgramTest {
    @TempDir
    Path folder;

    private static HttpServer serverOf(int port, String node) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            byte[] body = node.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static ApiClient client(int port) {
        return new ApiClient(ClusterAccess.of(URI.create("http://127.0.0.1:" + port)));
    }

    @Test
    void the_networks_of_the_node_are_waited_for_also_while_the_server_is_away() throws Exception {
        AtomicReference<LocalPods> found = new AtomicReference<>();
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        int port = silent.getLocalPort();
        try (TaskGroup tasks = new TaskGroup("test");
                ApiClient client = client(port)) {
            tasks.run("wait", () -> found.set(ProxyProgram.ownPods(client, "n", Duration.ofSeconds(30))));
            silent.accept().close(); // it asked, and nothing answered
            silent.close();
            HttpServer server =
                    serverOf(port, "{\"metadata\": {\"name\": \"n\"}, \"spec\": {\"podCIDRs\": [\"10.1.0.0/24\"]}}");
            try {
                tasks.join();
            } finally {
                server.stop(0);
            }
        }
        assertThat(found.get()).isEqualTo(LocalPods.within(List.of(Cidr.parse("10.1.0.0/24"))));
    }

    @Test
    void a_node_that_never_has_any_is_an_error_with_its_name() throws Exception {
        HttpServer server = serverOf(0, "{\"metadata\": {\"name\": \"n\"}}");
        try (ApiClient client = client(server.getAddress().getPort())) {
            assertThatThrownBy(() -> ProxyProgram.ownPods(client, "n", Duration.ZERO))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("the node n has no podCIDR");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void a_changed_file_ends_the_program_with_the_reason() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "mode: nftables");
        try (TaskGroup tasks = new TaskGroup("test")) {
            Restart restart = new Restart(tasks);
            restart.throwIfAsked();
            assertThat(Restart.hasChanged(file, "mode: nftables")).isFalse();
            Files.delete(file);
            assertThat(Restart.hasChanged(file, "mode: nftables"))
                    .as("a file that is about to be replaced")
                    .isFalse();
            tasks.run("config", () -> restart.whenChanged(file, "mode: nftables", Duration.ofMillis(20)));
            Files.writeString(file, "mode: iptables");
            tasks.await();
            assertThatThrownBy(restart::throwIfAsked)
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining(file + " has changed");
        }
    }

    @Test
    void the_name_of_the_host_is_the_kernels() throws Exception {
        assertThat(HostName.read("--hostname-override"))
                .isEqualToIgnoringCase(
                        Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
    }
}
