package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of objects whose owners go, in the three ways in which an owner can be deleted.
@Timeout(60)
final class GarbageTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static String owner(String name) throws Exception {
        return server.post(MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
                .text("metadata", "uid");
    }

    private static void dependent(String name, String... references) throws Exception {
        String body = "{\"metadata\":{\"name\":\"%s\",\"ownerReferences\":[%s]}}"
                .formatted(name, String.join(",", references));
        assertThat(server.post(MAPS, body).code()).isEqualTo(201);
    }

    private static String reference(String name, String uid, boolean blocks) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"%s\",\"uid\":\"%s\",\"blockOwnerDeletion\":%s}"
                .formatted(name, uid, blocks);
    }

    private static int code(String name) throws Exception {
        return server.get(MAPS + "/" + name).code();
    }

    private static void awaitGone(String name) {
        await().atMost(Duration.ofSeconds(20)).until(() -> code(name) == 404);
    }

    @Test
    void in_the_background_dependents_go_after_their_owner_and_theirs_after_them() throws Exception {
        String uid = owner("a");
        dependent("a-child", reference("a", uid, true));
        String child = server.get(MAPS + "/a-child").text("metadata", "uid");
        dependent("a-grandchild", reference("a-child", child, true));

        assertThat(server.delete(MAPS + "/a").code()).isEqualTo(200);

        assertThat(code("a")).isEqualTo(404);
        awaitGone("a-child");
        awaitGone("a-grandchild");
    }

    @Test
    void a_circle_of_owners_goes_in_the_foreground_all_the_same() throws Exception {
        String first = owner("ring-a");
        dependent("ring-b", reference("ring-a", first, true));
        String second = server.get(MAPS + "/ring-b").text("metadata", "uid");
        server.merge(
                MAPS + "/ring-a", "{\"metadata\":{\"ownerReferences\":[" + reference("ring-b", second, true) + "]}}");

        assertThat(server.delete(MAPS + "/ring-a?propagationPolicy=Foreground").code())
                .isEqualTo(200);

        awaitGone("ring-a");
        awaitGone("ring-b");
    }

    @Test
    void an_owner_of_the_same_name_but_another_uid_is_none() throws Exception {
        owner("b");
        dependent("b-child", reference("b", "00000000-0000-4000-8000-000000000000", true));

        awaitGone("b-child");
        assertThat(code("b")).isEqualTo(200);
    }

    @Test
    void in_the_foreground_the_owner_waits_for_those_that_block_it() throws Exception {
        String uid = owner("c");
        dependent("c-child", reference("c", uid, true));
        server.merge(MAPS + "/c-child", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");

        var deleted = server.delete(MAPS + "/c?propagationPolicy=Foreground");

        assertThat(Json.texts(deleted.body(), "metadata", "finalizers")).containsExactly("foregroundDeletion");
        await().until(() -> !server.get(MAPS + "/c-child")
                .text("metadata", "deletionTimestamp")
                .isEmpty());
        assertThat(code("c")).isEqualTo(200);
        server.merge(MAPS + "/c-child", "{\"metadata\":{\"finalizers\":null}}");
        awaitGone("c-child");
        awaitGone("c");
    }

    @Test
    void orphans_stay_and_forget_their_owner() throws Exception {
        String uid = owner("d");
        dependent("d-child", reference("d", uid, true));

        server.send("DELETE", MAPS + "/d", "application/json", "{\"propagationPolicy\":\"Orphan\"}");

        awaitGone("d");
        var orphan = server.get(MAPS + "/d-child");
        assertThat(orphan.code()).isEqualTo(200);
        assertThat(orphan.body().path("metadata").has("ownerReferences")).isFalse();
    }

    @Test
    void one_owner_that_is_left_is_enough() throws Exception {
        String first = owner("e1");
        String second = owner("e2");
        dependent("e-child", reference("e1", first, false), reference("e2", second, false));

        server.delete(MAPS + "/e1");

        await().until(() -> Json.at(server.get(MAPS + "/e-child").body(), "metadata", "ownerReferences")
                        .size()
                == 1);
        server.delete(MAPS + "/e2");
        awaitGone("e-child");
    }

    @Test
    void the_old_word_for_orphans_still_works_but_not_both() throws Exception {
        String uid = owner("f");
        dependent("f-child", reference("f", uid, true));

        assertThat(server.send(
                                "DELETE",
                                MAPS + "/f",
                                "application/json",
                                "{\"orphanDependents\":true,\"propagationPolicy\":\"Orphan\"}")
                        .code())
                .isEqualTo(422);
        server.send("DELETE", MAPS + "/f", "application/json", "{\"orphanDependents\":true}");
        awaitGone("f");
        assertThat(code("f-child")).isEqualTo(200);
    }

    @Test
    void a_finalizer_can_be_taken_away_but_none_added_while_an_object_goes() throws Exception {
        owner("g");
        server.merge(MAPS + "/g", "{\"metadata\":{\"finalizers\":[\"example.com/one\",\"example.com/two\"]}}");
        server.delete(MAPS + "/g");

        var added = server.merge(MAPS + "/g", "{\"metadata\":{\"finalizers\":[\"example.com/three\"]}}");
        var fewer = server.merge(MAPS + "/g", "{\"metadata\":{\"finalizers\":[\"example.com/two\"]}}");

        assertThat(added.code()).isEqualTo(422);
        assertThat(added.message()).contains("no new finalizers can be added if the object is being deleted");
        assertThat(fewer.code()).isEqualTo(200);
        server.merge(MAPS + "/g", "{\"metadata\":{\"finalizers\":[]}}");
        assertThat(code("g")).isEqualTo(404);
    }
}
