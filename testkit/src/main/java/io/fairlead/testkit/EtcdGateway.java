package io.fairlead.testkit;

import io.fairlead.api.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// The HTTP side of an etcd member without TLS, reached with curl: for the few things a test asks the member itself.
final class EtcdGateway {
    private EtcdGateway() {}

    static boolean leads(String address) throws InterruptedException {
        JsonNode status = post(address + "/v3/maintenance/status", "{}");
        String id = Json.text(status, "header", "member_id");
        return !id.isEmpty() && id.equals(Json.text(status, "leader"));
    }

    /// Forgets all history up to the newest revision.
    static void compact(String address) throws InterruptedException {
        String newest = Json.text(post(address + "/v3/maintenance/status", "{}"), "header", "revision");
        JsonNode answer =
                post(address + "/v3/kv/compaction", "{\"revision\":\"%s\",\"physical\":true}".formatted(newest));
        if (Json.text(answer, "header", "revision").isEmpty()) {
            throw new IllegalStateException("etcd does not compact up to " + newest);
        }
    }

    /// Nothing, as an empty object, if it does not answer.
    private static JsonNode post(String address, String body) throws InterruptedException {
        String answer = curl(address, "-d", body);
        return answer.isEmpty() ? Json.object() : Json.parse(answer.getBytes(StandardCharsets.UTF_8));
    }

    private static String curl(String address, String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("curl", "-sf", "--max-time", "2", address));
        command.addAll(List.of(options));
        try {
            Process process = new ProcessBuilder(command).start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0 ? answer : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
