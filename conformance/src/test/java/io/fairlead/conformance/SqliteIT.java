package io.fairlead.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The server as it is by default: one process, its objects in a file of SQLite.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SqliteIT implements KubectlContract, Fabric8Contract, CrashContract {
    private ServerRun server;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        server = ServerRun.start(folder);
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    @Override
    public ServerRun server() {
        return server;
    }

    @Override
    public List<Transcript> transcripts() throws IOException {
        return Transcript.all();
    }
}
