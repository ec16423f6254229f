package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a server answers while its store, or the way to it, fails.
@Timeout(60)
final class FaultsTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String WEB = """
        {"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}\
        """;

    private static TestServer on(FaultyStore store) throws InterruptedException {
        return TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), store);
    }

    @Test
    void a_committed_delete_is_answered_as_done_and_its_claims_are_released_soon() throws Exception {
        FaultyStore store = new FaultyStore(new MemoryStore());
        try (TestServer server = on(store)) {
            String ip = server.post(SERVICES, WEB).text("spec", "clusterIP");
            store.failDeletes("ipaddresses");
            assertThat(server.delete(SERVICES + "/web").code()).isEqualTo(200);
            assertThat(server.get(SERVICES + "/web").code()).isEqualTo(404);
            assertThat(claim(server, ip)).isEqualTo(200);

            store.failDeletes("none");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(claim(server, ip)).isEqualTo(404));
        }
    }

    private static int claim(TestServer server, String ip) throws Exception {
        return server.get("/apis/networking.k8s.io/v1/ipaddresses/" + ip).code();
    }

    @Test
    void a_put_through_a_server_that_lags_changes_what_another_server_has_created() throws Exception {
        SharedStore shared = new SharedStore();
        FaultyStore lagging = new FaultyStore(shared);
        try (TestServer quick = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), shared);
                TestServer slow = on(lagging)) {
            CountDownLatch latch = lagging.holdWatches();
            TestServer.Reply created = quick.post(SERVICES, WEB);
            Thread catchingUp = Thread.ofVirtual().start(() -> openSoon(latch));
            TestServer.Reply changed =
                    slow.put(SERVICES + "/web", created.body().toString());
            catchingUp.join();
            assertThat(changed.code()).as(changed.message()).isEqualTo(200);
        }
    }

    private static void openSoon(CountDownLatch latch) {
        try {
            TimeUnit.MILLISECONDS.sleep(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        latch.countDown();
    }

    @Test
    void a_put_through_a_server_that_is_cut_off_is_unavailable_and_no_bad_request() throws Exception {
        SharedStore shared = new SharedStore();
        FaultyStore cut = new FaultyStore(shared);
        try (TestServer quick = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT), shared);
                TestServer slow = on(cut)) {
            CountDownLatch latch = cut.holdWatches();
            TestServer.Reply created = quick.post(SERVICES, WEB);
            cut.cutOff();
            TestServer.Reply refused =
                    slow.put(SERVICES + "/web", created.body().toString());
            latch.countDown();
            assertThat(refused.code()).as(refused.message()).isEqualTo(503);
        }
    }
}
