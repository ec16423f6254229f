package io.fairlead.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every kept input once more: the server answers it, soon, and with little.
final class FuzzCorpusTest {
    private static final Duration HANGS = Duration.ofSeconds(30);

    private static FuzzServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new FuzzServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @TestFactory
    List<DynamicTest> a_kept_input_is_answered_without_a_fault() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (FuzzTarget target : FuzzTarget.values()) {
            for (Path input : FuzzCorpus.inputs(target)) {
                tests.add(DynamicTest.dynamicTest(target + " " + input.getFileName(), () -> feed(target, input)));
            }
        }
        return tests;
    }

    private static void feed(FuzzTarget target, Path input) {
        Assertions.assertTimeout(HANGS, () -> target.feed(server, Files.readAllBytes(input)));
    }
}
