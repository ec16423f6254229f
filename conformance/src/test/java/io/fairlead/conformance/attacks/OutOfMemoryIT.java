package io.fairlead.conformance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster that does not fit into the memory of its server: the program ends at once, and what it answered is there
/// when it is started again.
final class OutOfMemoryIT {
    /// The exit code that -XX:+ExitOnOutOfMemoryError gives.
    private static final int OUT_OF_MEMORY = 3;

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void a_server_without_memory_ends_at_once_and_begins_again_with_all_that_it_answered(@TempDir Path folder)
            throws Exception {
        try (AttackedServer server = AttackedServer.start(folder)) {
            server.run().process().destroy();
            assertThat(server.run().process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            server.run().startAgain("-Xmx40m");
            int written = writeUntilItEnds(server.client("admin"));
            assertThat(server.run().process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.run().process().exitValue()).isEqualTo(OUT_OF_MEMORY);
            assertThat(Files.readString(server.run().log())).contains("OutOfMemoryError");

            server.run().startAgain("-Xmx512m");
            Intruder admin = server.client("admin");
            for (int i = 0; i < written; i++) {
                assertThat(admin.get(MAPS + "/m" + i).code()).as("m" + i).isEqualTo(200);
            }
        }
    }

    /// How many were answered.
    private static int writeUntilItEnds(Intruder admin) throws InterruptedException {
        String text = "x".repeat(900_000);
        for (int i = 0; i < 200; i++) {
            try {
                Intruder.Reply reply = admin.post(
                        MAPS, "{\"metadata\": {\"name\": \"m%d\"}, \"data\": {\"a\": \"%s\"}}".formatted(i, text));
                if (reply.code() != 201) {
                    return i;
                }
            } catch (IOException ended) {
                return i;
            }
        }
        throw new AssertionError("180 MB fit into 40");
    }

    /// 180 MB are promised to a server with 64.
    @Test
    void bodies_that_are_promised_take_no_memory(@TempDir Path folder) throws Exception {
        try (AttackedServer server = AttackedServer.start(folder)) {
            server.run().process().destroy();
            assertThat(server.run().process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            server.run().startAgain("-Xmx64m");
            Intruder admin = server.client("admin");
            List<SSLSocket> promised = new ArrayList<>();
            try {
                for (int i = 0; i < 60; i++) {
                    promised.add(admin.say("""
                        POST %s HTTP/1.1\r
                        Host: x\r
                        Authorization: Bearer TOKEN\r
                        Content-Type: application/json\r
                        Content-Length: 3000000\r
                        \r
                        """.formatted(MAPS)));
                }
                assertThat(admin.get(MAPS).code()).isEqualTo(200);
                for (SSLSocket socket : promised) {
                    socket.setSoTimeout(60_000);
                    assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                            .isEqualTo("HTTP/1.1 408");
                }
                assertThat(admin.get("/livez").code()).isEqualTo(200);
            } finally {
                for (SSLSocket socket : promised) {
                    socket.close();
                }
            }
        }
    }
}
