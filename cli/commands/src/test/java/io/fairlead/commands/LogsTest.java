package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `logs` asks an API server as kubectl does, and prints what comes.
final class LogsTest {
    private static final String POD =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"web\",\"labels\":{}},"
                    + "\"spec\":{\"initContainers\":[{\"name\":\"first\"}],\"containers\":[{\"name\":\"web\"},{\"name\":\"side\"}]}}";

    @TempDir
    Path dir;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        URI place = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Kubeconfig.write(dir.resolve("kubeconfig"), ClusterAccess.of(place));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        asked.add(path);
        String text = path.contains("/log") ? "zwölf\n".repeat(3) : POD;
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    @Test
    void the_first_container_speaks_and_is_named() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(run(out, err, "logs", "web", "--tail=5", "-f")).isZero();
        assertThat(out.toString()).isEqualTo("zwölf\n".repeat(3));
        assertThat(err.toString()).isEqualTo("Defaulted container \"web\" out of: web, side, first (init)\n");
        assertThat(asked)
                .containsExactly(
                        "/api/v1/namespaces/default/pods/web",
                        "/api/v1/namespaces/default/pods/web/log?container=web&follow=true&tailLines=5");
    }

    @Test
    void another_container_or_all_of_them_can_be_asked_for() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(run(out, err, "logs", "-n", "a", "pod/web", "-c", "side", "-p"))
                .isZero();
        assertThat(asked.getLast()).isEqualTo("/api/v1/namespaces/a/pods/web/log?container=side&previous=true");
        assertThat(run(out, err, "logs", "web", "--all-containers")).isZero();
        assertThat(asked.stream().filter(path -> path.startsWith("/api/v1/namespaces/default/pods/web/log")))
                .extracting(path -> path.replaceAll(".*=", ""))
                .containsExactly("first", "web", "side");
        assertThat(err.toString()).isEmpty();
    }

    private int run(StringWriter out, StringWriter err, String... args) {
        String[] all = Stream.concat(
                        Stream.of("--kubeconfig", dir.resolve("kubeconfig").toString()), Stream.of(args))
                .toArray(String[]::new);
        return Main.commandLine(all)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }
}
