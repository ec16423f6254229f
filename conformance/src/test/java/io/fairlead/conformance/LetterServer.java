package io.fairlead.conformance;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;

/// A server with the three clients by which it is compared with Kubernetes' own: kubectl, fabric8 and plain requests.
record LetterServer(ServerRun server, Kubectl kubectl, RawClient raw) implements AutoCloseable {
    static LetterServer start(Path folder) throws IOException, GeneralSecurityException {
        ServerRun server = ServerRun.start(folder);
        boolean ready = false;
        try {
            LetterServer all =
                    new LetterServer(server, Kubectl.at(server.kubeconfig()), RawClient.at(server.kubeconfig()));
            ready = true;
            return all;
        } finally {
            if (!ready) {
                server.close();
            }
        }
    }

    /// What kubectl prints for a verb with a file. The comment says that it is YAML, also where it begins with a brace.
    String with(String verb, String manifest) throws IOException, InterruptedException {
        Path file = Files.writeString(
                Files.createTempFile(server.folder(), "manifest", ".yaml"), "# objects\n---\n" + manifest);
        return run(verb, "-f", file.toString()).output();
    }

    Kubectl.Result run(String... words) throws IOException, InterruptedException {
        return kubectl.run(words);
    }

    String field(String kind, String name, String path) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("get", kind, name, "-o", "jsonpath={" + path + "}"));
        return kubectl.run(words.toArray(String[]::new)).ok();
    }

    static void soon(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(condition);
    }

    @Override
    public void close() throws IOException {
        raw.close();
        server.close();
    }
}
