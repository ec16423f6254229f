package io.fairlead.http;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store.Stored;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Objects that an earlier release stored, which kept every field that a client sent.
final class StoredFieldsTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    @Test
    void they_lose_the_fields_that_their_kind_has_not() throws Exception {
        var store = new MemoryStore();
        TestServer first = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
        first.post(SERVICES, "{\"metadata\":{\"name\":\"old\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
        first.closeServer();
        Stored found = store.list("services").items().stream()
                .filter(item -> item.key().endsWith("/old"))
                .findFirst()
                .orElseThrow();
        ObjectNode tree = (ObjectNode) Json.parse(found.value());
        ((ObjectNode) tree.path("spec")).put("colour", "red");
        store.put(found.key(), Json.bytes(tree), found.revision());

        try (var second = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            !second.get(SERVICES + "/old").body().path("spec").has("colour"));
        }
    }
}
