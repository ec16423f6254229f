package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Kubeconfig;
import io.fairlead.http.ApiServer;
import io.fairlead.http.ApiServerConfig;
import io.fairlead.store.MemoryStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A real API server with two clients that do the same, each in a namespace of its own: `fairlead` in `ours`, the
/// kubectl of this machine in `theirs`.
final class TwoClients implements AutoCloseable {
    static final String OURS = "ours";
    static final String THEIRS = "theirs";

    private final Path dir;
    private final MemoryStore store = new MemoryStore();
    private final ApiServer server;
    private final ApiClient client;

    TwoClients(Path dir) throws InterruptedException {
        this.dir = dir;
        server = ApiServer.start(ApiServerConfig.at(IpPort.parse("127.0.0.1:0")), store);
        ClusterAccess access = ClusterAccess.of(URI.create("http://" + server.address()));
        Kubeconfig.write(dir.resolve("kubeconfig"), access);
        client = new ApiClient(access);
        for (String name : List.of(OURS, THEIRS)) {
            var namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            namespace.putObject("metadata").put("name", name);
            client.create(Kind.NAMESPACE, namespace);
        }
    }

    record Result(int code, String out, String err) {}

    ApiClient client() {
        return client;
    }

    /// Types the same to both, and fails where they end or print differently; the answer is what they printed.
    Result both(String... args) throws Exception {
        Result ours = fairlead(in(OURS, args));
        Result theirs = kubectl(in(THEIRS, args));
        Result alike = new Result(ours.code, ours.out.replace(OURS, THEIRS), ours.err.replace(OURS, THEIRS));
        assertThat(alike).as(String.join(" ", args)).isEqualTo(theirs);
        return ours;
    }

    // Behind a -- everything belongs to the command of a container.
    private static String[] in(String namespace, String... args) {
        return Stream.concat(
                        Stream.of(args[0], "-n", namespace), Stream.of(args).skip(1))
                .toArray(String[]::new);
    }

    Result fairlead(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Stream.of("--kubeconfig", kubeconfig()), Stream.of(args))
                .toArray(String[]::new);
        int code = Main.commandLine(all)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
        return new Result(code, out.toString(), err.toString());
    }

    Result kubectl(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig()));
        command.addAll(List.of(args));
        Path out = dir.resolve("kubectl.out");
        Path err = dir.resolve("kubectl.err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("HOME", dir.toString());
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after a minute: " + command);
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private String kubeconfig() {
        return dir.resolve("kubeconfig").toString();
    }

    @Override
    public void close() {
        client.close();
        server.close();
        store.close();
    }
}
