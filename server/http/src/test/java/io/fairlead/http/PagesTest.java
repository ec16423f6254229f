package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Revision;
import io.fairlead.objects.KindCache;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Lists in pages, and lists of a state that is past (K10, K11).
@Timeout(60)
final class PagesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @AutoClose
    private final TestServer server = TestServer.running();

    private String create(String name) throws Exception {
        return server.post(
                        MAPS, "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"odd\":\"%s\"}}}".formatted(name, odd(name)))
                .version();
    }

    private static boolean odd(String name) {
        return (name.charAt(name.length() - 1) - '0') % 2 == 1;
    }

    private void createTen() throws Exception {
        for (int i = 0; i < 10; i++) {
            create("map-" + i);
        }
    }

    private static String next(TestServer.Reply page) {
        return page.text("metadata", "continue");
    }

    @Test
    void the_pages_of_a_list_show_one_state_whatever_happens_between_them() throws Exception {
        createTen();
        var first = server.get(MAPS + "?limit=4");
        server.delete(MAPS + "/map-5");
        create("map-45");
        server.merge(MAPS + "/map-9", "{\"data\":{\"new\":\"yes\"}}");
        var second = server.get(MAPS + "?limit=4&continue=" + next(first));
        var third = server.get(MAPS + "?limit=4&continue=" + next(second));

        List<String> all = new ArrayList<>(first.names());
        all.addAll(second.names());
        all.addAll(third.names());
        assertThat(all)
                .containsExactly(
                        "map-0", "map-1", "map-2", "map-3", "map-4", "map-5", "map-6", "map-7", "map-8", "map-9");
        assertThat(first.number("metadata", "remainingItemCount")).isEqualTo(6);
        assertThat(second.number("metadata", "remainingItemCount")).isEqualTo(2);
        assertThat(third.body().path("metadata").has("remainingItemCount")).isFalse();
        assertThat(next(third)).isEmpty();
        assertThat(List.of(second.version(), third.version())).containsOnly(first.version());
        assertThat(third.body().path("items").get(1).has("data")).isFalse();
        assertThat(server.get(MAPS).names()).contains("map-45").doesNotContain("map-5");
    }

    @Test
    void pages_hold_what_is_selected_and_count_nothing_then() throws Exception {
        createTen();
        var first = server.get(MAPS + "?limit=3&labelSelector=odd%3Dtrue");
        assertThat(first.names()).containsExactly("map-1", "map-3", "map-5");
        assertThat(first.body().path("metadata").has("remainingItemCount")).isFalse();
        var second = server.get(MAPS + "?limit=3&labelSelector=odd%3Dtrue&continue=" + next(first));
        assertThat(second.names()).containsExactly("map-7", "map-9");
        assertThat(next(second)).isEmpty();
    }

    @Test
    void pages_go_across_namespaces_in_order() throws Exception {
        server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"aaa\"}}");
        server.post("/api/v1/namespaces/aaa/configmaps", "{\"metadata\":{\"name\":\"zzz\",\"labels\":{\"t\":\"1\"}}}");
        server.post(MAPS, "{\"metadata\":{\"name\":\"aaa\",\"labels\":{\"t\":\"1\"}}}");
        var first = server.get("/api/v1/configmaps?limit=1&labelSelector=t");
        var second = server.get("/api/v1/configmaps?limit=1&labelSelector=t&continue=" + next(first));

        assertThat(first.names()).containsExactly("zzz");
        assertThat(second.names()).containsExactly("aaa");
    }

    @Test
    void a_page_of_a_forgotten_state_is_gone_and_says_how_to_go_on() throws Exception {
        createTen();
        var first = server.get(MAPS + "?limit=4");
        for (int i = 0; i <= KindCache.RECENT; i++) {
            touch(i);
        }
        // This one is answered when all of them can be read.
        create("zzz-0");
        var gone = server.get(MAPS + "?limit=4&continue=" + next(first));

        assertThat(gone.code()).isEqualTo(410);
        assertThat(gone.text("reason")).isEqualTo("Expired");
        assertThat(gone.message()).startsWith("The provided continue parameter is too old");
        var rest = server.get(MAPS + "?limit=100&continue=" + next(gone));
        assertThat(rest.names()).startsWith("map-4", "map-5").doesNotContain("map-3");
    }

    /// Writes past the API: so many requests would take the test's time.
    private void touch(int i) {
        String map = "{\"metadata\":{\"name\":\"zz-%d\",\"namespace\":\"default\"}}".formatted(i);
        server.store().put("configmaps/default/zz-" + i, map.getBytes(StandardCharsets.UTF_8), Revision.ZERO);
    }

    @Test
    void a_token_that_is_none_of_ours_is_refused() throws Exception {
        for (String token : List.of("nonsense", "e30", "%25")) {
            var refused = server.get(MAPS + "?limit=4&continue=" + token);
            assertThat(refused.code()).isEqualTo(400);
            assertThat(refused.message()).contains("continue key is not valid");
        }
        assertThat(server.get(MAPS + "?limit=many").code()).isEqualTo(400);
    }

    @Test
    void options_that_exclude_each_other_are_refused() throws Exception {
        createTen();
        String token = next(server.get(MAPS + "?limit=4"));

        var both = server.get(MAPS + "?limit=4&resourceVersion=5&continue=" + token);
        assertThat(both.code()).isEqualTo(400);
        assertThat(both.message()).isEqualTo("specifying resource version is not allowed when using continue");
        assertThat(server.get(MAPS + "?continue=" + token + "&resourceVersionMatch=Exact")
                        .code())
                .isEqualTo(422);
        assertThat(server.get(MAPS + "?resourceVersionMatch=Exact").code()).isEqualTo(422);
        assertThat(server.get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=0")
                        .code())
                .isEqualTo(422);
        assertThat(server.get(MAPS + "?resourceVersionMatch=Newer&resourceVersion=1")
                        .code())
                .isEqualTo(422);
        assertThat(server.get(MAPS + "?sendInitialEvents=true").code()).isEqualTo(422);
        assertThat(server.get(MAPS + "?resourceVersion=new").code()).isEqualTo(400);
    }

    @Test
    void a_list_can_be_asked_for_exactly_as_it_was() throws Exception {
        String then = create("map-1");
        create("map-2");
        server.delete(MAPS + "/map-1");

        var past = server.get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + then);
        assertThat(past.names()).contains("map-1").doesNotContain("map-2");
        assertThat(past.version()).isEqualTo(then);
        var atLeast = server.get(MAPS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + then);
        assertThat(atLeast.names()).contains("map-2").doesNotContain("map-1");
    }

    @Test
    void a_state_of_the_future_is_waited_for_and_then_refused() throws Exception {
        for (String path : List.of(MAPS + "?resourceVersion=999999", MAPS + "/none?resourceVersion=999999")) {
            var refused = server.get(path);
            assertThat(refused.code()).isEqualTo(504);
            assertThat(refused.text("reason")).isEqualTo("Timeout");
            assertThat(refused.body()
                            .path("details")
                            .path("causes")
                            .get(0)
                            .path("reason")
                            .stringValue())
                    .isEqualTo("ResourceVersionTooLarge");
        }
    }
}
