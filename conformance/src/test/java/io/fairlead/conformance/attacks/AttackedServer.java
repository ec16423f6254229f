package io.fairlead.conformance.attacks;

import io.fairlead.conformance.ServerRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A server, and clients of each sort that know it.
final class AttackedServer implements AutoCloseable {
    private static final String TOKENS = """
        admin-token,root,1,system:masters
        bob-token,bob,2,
        mallory-token,mallory,3,
        n1-token,system:node:n1,4,system:nodes
        n2-token,system:node:n2,5,system:nodes
        thief-token,thief,6,system:nodes
        """;

    private final ServerRun run;
    private final List<Intruder> clients = new ArrayList<>();

    private AttackedServer(ServerRun run) {
        this.run = run;
    }

    static AttackedServer start(Path folder, String... options) throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens.csv"), TOKENS);
        List<String> all = new ArrayList<>(List.of("--token-file", tokens.toString()));
        all.addAll(List.of(options));
        return new AttackedServer(ServerRun.start(folder, all.toArray(String[]::new)));
    }

    ServerRun run() {
        return run;
    }

    /// `admin`, `bob`, `mallory`, `n1`, `n2`, `thief`; an empty name is none.
    Intruder client(String name) throws IOException, GeneralSecurityException {
        Intruder client = Intruder.at(run.folder(), run.port(), name.isEmpty() ? "" : name + "-token");
        clients.add(client);
        return client;
    }

    /// How long the slowest of so many requests of a client took.
    static Duration slowest(Intruder client, int requests, String path) throws IOException, InterruptedException {
        Duration slowest = Duration.ZERO;
        for (int i = 0; i < requests; i++) {
            long begin = System.nanoTime();
            Intruder.Reply reply = client.get(path);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            if (reply.code() != 200) {
                throw new AssertionError(path + " was answered with " + reply);
            }
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }
        return slowest;
    }

    @Override
    public void close() throws IOException {
        clients.forEach(Intruder::close);
        run.close();
    }
}
