package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SecondLookTest {
    private final AtomicInteger decisions = new AtomicInteger();

    /// How often a server decides that is asked by `method`, says `code` at first, and is behind by `writes` of others.
    private int decisions(Store store, String method, int code, int writes) throws InterruptedException {
        WatchCache cache = new WatchCache(store, List.of(Kind.NAMESPACE));
        cache.load();
        for (int i = 0; i < writes; i++) {
            byte[] namespace = "{\"metadata\":{\"name\":\"n%d\"}}".formatted(i).getBytes(StandardCharsets.UTF_8);
            store.put("namespaces/n" + i, namespace, Revision.ZERO);
        }
        decisions.set(0);
        try (TaskGroup tasks = new TaskGroup("test")) {
            Filter.Next decision = _ -> {
                if (decisions.incrementAndGet() > 1) {
                    return new Answer.Document(200, Json.object());
                }
                tasks.run("cache", cache::follow); // from now on it hears of the others
                throw StatusException.of(code, "Refused", "at first");
            };
            ApiRequest request = new ApiRequest(method, "/", Map.of(), Map.of(), () -> new byte[0]);
            new SecondLook(store, cache).answer(new Exchange(request, Credentials.NONE, Instant.EPOCH), decision);
        } catch (StatusException refused) {
            assertThat(refused.code()).isEqualTo(code);
        }
        return decisions.get();
    }

    @Test
    void what_is_refused_is_decided_again_if_the_store_was_ahead() throws Exception {
        for (int code : new int[] {401, 403, 404, 409, 422, 429}) {
            assertThat(decisions(new SharedStore(), "POST", code, 1))
                    .as("" + code)
                    .isEqualTo(2);
            assertThat(decisions(new SharedStore(), "POST", code, 0))
                    .as("" + code)
                    .isEqualTo(1);
        }
    }

    @Test
    void a_read_is_decided_again_by_rights_only_and_a_bad_request_never() throws Exception {
        assertThat(decisions(new SharedStore(), "GET", 403, 1)).isEqualTo(2);
        assertThat(decisions(new SharedStore(), "GET", 404, 1)).isEqualTo(1);
        assertThat(decisions(new SharedStore(), "POST", 400, 1)).isEqualTo(1);
        assertThat(decisions(new SharedStore(), "POST", 503, 1)).isEqualTo(1);
    }

    @Test
    void a_server_alone_knows_all_there_is() throws Exception {
        assertThat(decisions(new MemoryStore(), "POST", 404, 1)).isEqualTo(1);
    }
}
