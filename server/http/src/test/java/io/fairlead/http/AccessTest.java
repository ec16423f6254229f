package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.api.Json;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class AccessTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";

    @TempDir
    private Path dir;

    private GuardedServer server;

    @BeforeEach
    void start() throws Exception {
        server = GuardedServer.start(dir);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void grant(String user, String role) throws Exception {
        try (var admin = server.admin()) {
            var bound = admin.post(RBAC + "/clusterrolebindings", """
                {"metadata": {"name": "%1$s-%2$s"}, "subjects": [{"kind": "User", "name": "%1$s",
                 "apiGroup": "rbac.authorization.k8s.io"}],
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%2$s"}}
                """.formatted(user, role));
            assertThat(bound.code()).as(bound.text()).isEqualTo(201);
        }
    }

    @Test
    void the_administrator_comes_in_over_http_2_with_his_certificate() throws Exception {
        try (var admin = server.admin()) {
            var list = admin.get("/api/v1/namespaces/default/services");
            assertThat(list.code()).as(list.text()).isEqualTo(200);
            assertThat(list.response().version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void anonymous_clients_get_health_and_version_and_nothing_else() throws Exception {
        try (var anonymous = server.anonymous()) {
            for (String path : List.of("/healthz", "/livez", "/readyz", "/version")) {
                assertThat(anonymous.get(path).code()).as(path).isEqualTo(200);
            }
            for (String path : List.of("/", "/api", "/apis", "/metrics", "/api/v1/pods")) {
                assertThat(anonymous.get(path).code()).as(path).isEqualTo(403);
            }
            assertThat(anonymous.get("/apis").message())
                    .isEqualTo("forbidden: User \"system:anonymous\" cannot get path \"/apis\"");
        }
    }

    @Test
    void who_may_not_is_told_what_he_may_not() throws Exception {
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            var refused = bob.get("/api/v1/namespaces/default/services");
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.message())
                    .isEqualTo("services is forbidden: User \"bob\" cannot list resource \"services\" in API group \"\""
                            + " in the namespace \"default\"");
            assertThat(Json.text(refused.body(), "reason")).isEqualTo("Forbidden");
            assertThat(Json.text(refused.body(), "details", "kind")).isEqualTo("services");
            assertThat(bob.send("DELETE", "/apis/apps/v1/namespaces/shop/deployments/web", "")
                            .message())
                    .isEqualTo("deployments.apps \"web\" is forbidden: User \"bob\" cannot delete resource"
                            + " \"deployments\" in API group \"apps\" in the namespace \"shop\"");
            assertThat(bob.get("/api/v1/nodes").message()).endsWith("at the cluster scope");
        }
    }

    @Test
    void a_role_counts_from_the_next_request_on() throws Exception {
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            assertThat(bob.get("/api/v1/services").code()).isEqualTo(403);
            grant("bob", "view");
            assertThat(bob.get("/api/v1/services").code()).isEqualTo(200);
            assertThat(bob.get("/api/v1/secrets").code()).isEqualTo(403);
            try (var admin = server.admin()) {
                admin.send("DELETE", RBAC + "/clusterrolebindings/bob-view", "");
            }
            assertThat(bob.get("/api/v1/services").code()).isEqualTo(403);
        }
    }

    @Test
    void an_old_path_of_a_watch_is_no_way_around() throws Exception {
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            assertThat(bob.get("/api/v1/watch/secrets").code()).isEqualTo(403);
            assertThat(bob.get("/api/v1/watch/namespaces/default/secrets/x").code())
                    .isEqualTo(403);
            assertThat(bob.send("HEAD", "/api/v1/secrets", "").code()).isEqualTo(403);
        }
    }

    @Test
    void a_bad_proof_is_refused_even_where_none_is_needed() throws Exception {
        try (var liar = server.bearer("wr0ng-tok3n")) {
            var refused = liar.get("/healthz");
            assertThat(refused.code()).isEqualTo(401);
            assertThat(refused.message()).isEqualTo("Unauthorized");
            assertThat(refused.text()).doesNotContain("wr0ng");
        }
        Pki other = Pki.open(dir.resolve("other"));
        try (var stranger = server.with(other.issueClient(Subject.administrator()))) {
            // The JDK shows a certificate only to authorities that it is from, so the stranger comes without a name.
            assertThat(stranger.get("/api/v1/pods").code()).isIn(401, 403);
        }
        try (var late = server.with(server.pki().issueClient(Subject.administrator(), Duration.ofSeconds(-1)))) {
            assertThat(late.get("/api/v1/pods").code()).isEqualTo(401);
        }
    }

    @Test
    void whoami_and_can_i_answer() throws Exception {
        grant("bob", "edit");
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            var me = bob.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
            assertThat(me.code()).as(me.text()).isEqualTo(201);
            assertThat(Json.text(me.body(), "status", "userInfo", "username")).isEqualTo("bob");
            assertThat(Json.texts(me.body(), "status", "userInfo", "groups"))
                    .containsExactly("crew", "system:authenticated");
            assertThat(may(bob, "create", "", "services")).isTrue();
            assertThat(may(bob, "create", "", "nodes")).isFalse();
            assertThat(may(bob, "create", "rbac.authorization.k8s.io", "roles")).isFalse();
            var rules = bob.post(
                    "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                    "{\"spec\": {\"namespace\": \"default\"}}");
            assertThat(rules.body().path("status").path("resourceRules").size()).isGreaterThan(5);
            assertThat(bob.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", "{}")
                            .code())
                    .isEqualTo(403);
        }
    }

    private static boolean may(GuardedServer.Client client, String verb, String group, String resource)
            throws Exception {
        var review = client.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", """
                    {"spec": {"resourceAttributes": {"verb": "%s", "group": "%s", "resource": "%s", "namespace": "shop"}}}
                    """.formatted(verb, group, resource));
        assertThat(review.code()).as(review.text()).isEqualTo(201);
        return Json.flag(review.body(), false, "status", "allowed");
    }

    @Test
    void rights_of_others_are_reviewed_by_those_who_may() throws Exception {
        grant("bob", "view");
        try (var admin = server.admin()) {
            var review = admin.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", """
                {"spec": {"user": "bob", "resourceAttributes": {"verb": "list", "resource": "pods"}}}\
                """);
            assertThat(Json.flag(review.body(), false, "status", "allowed")).isTrue();
            assertThat(admin.post(
                                    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                                    "{\"spec\": {\"user\": \"bob\"}}")
                            .code())
                    .isEqualTo(422);
            assertThat(admin.get("/apis/authorization.k8s.io/v1/subjectaccessreviews")
                            .code())
                    .isEqualTo(405);
        }
    }

    @Test
    void one_speaks_for_another_only_with_the_right_to() throws Exception {
        String[] asBob = {"Impersonate-User", "bob", "Impersonate-Group", "crew"};
        try (var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            assertThat(admin.send("GET", "/api/v1/services", "", asBob).message())
                    .contains("User \"bob\" cannot list resource \"services\"");
            assertThat(bob.send("GET", "/api/v1/services", "", "Impersonate-User", "kubernetes-admin")
                            .message())
                    .contains("User \"bob\" cannot impersonate resource \"users\"");
            assertThat(admin.send("GET", "/healthz", "", "Impersonate-Group", "crew")
                            .code())
                    .isEqualTo(400);
        }
    }

    @Test
    void a_user_cannot_make_a_role_with_more_rights_than_his_own() throws Exception {
        grant("bob", "admin");
        String all = """
            {"metadata": {"name": "all"}, "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]}\
            """;
        String some = """
            {"metadata": {"name": "some"}, "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}\
            """;
        String roles = RBAC + "/namespaces/default/roles";
        try (var bob = server.bearer(GuardedServer.TOKEN)) {
            var refused = bob.post(roles, all);
            assertThat(refused.code()).as(refused.text()).isEqualTo(403);
            assertThat(refused.message()).contains("is attempting to grant RBAC permissions not currently held");
            assertThat(bob.post(roles, some).code()).isEqualTo(201);
            var patched = bob.send("PATCH", roles + "/some", """
                {"rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]}\
                """);
            assertThat(patched.code()).as(patched.text()).isEqualTo(403);
            var bound = bob.post(RBAC + "/namespaces/default/rolebindings", """
                {"metadata": {"name": "b"}, "subjects": [{"kind": "User", "name": "bob",
                 "apiGroup": "rbac.authorization.k8s.io"}],
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}}\
                """);
            assertThat(bound.code()).as(bound.text()).isEqualTo(403);
        }
    }

    @Test
    void only_who_may_do_everything_makes_a_role_that_gathers_whatever_others_will_say() throws Exception {
        String roles = RBAC + "/clusterroles";
        String gathering = """
            {"metadata": {"name": "gathering"}, "aggregationRule": {"clusterRoleSelectors": [
             {"matchLabels": {"for": "gathering"}}]}}\
            """;
        try (var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            admin.post(roles, """
                {"metadata": {"name": "writer"}, "rules": [{"apiGroups": ["*"], "resources": ["clusterroles"],
                 "verbs": ["create"]}]}\
                """);
            grant("bob", "writer");
            assertThat(bob.post(roles, gathering).code()).isEqualTo(403);
            assertThat(admin.post(roles, gathering).code()).isEqualTo(201);
            grant("bob", "gathering");
            assertThat(bob.get("/api/v1/nodes").code()).isEqualTo(403);
            admin.post(roles, """
                {"metadata": {"name": "nodes", "labels": {"for": "gathering"}},
                 "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["list"]}]}\
                """);
            assertThat(bob.get("/api/v1/nodes").code()).isEqualTo(200);
        }
    }

    @Test
    void without_the_rights_of_a_role_only_what_deletes_it_may_be_changed() throws Exception {
        grant("bob", "admin");
        String role = RBAC + "/namespaces/default/roles";
        String binding = RBAC + "/namespaces/default/rolebindings";
        String label = "{\"metadata\": {\"labels\": {\"by\": \"bob\"}}}";
        String finalizer = "{\"metadata\": {\"finalizers\": [\"example.com/bob\"]}}";
        try (var admin = server.admin();
                var bob = server.bearer(GuardedServer.TOKEN)) {
            admin.post(role, """
                {"metadata": {"name": "all"}, "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]}\
                """);
            admin.post(binding, """
                {"metadata": {"name": "all"}, "subjects": [{"kind": "User", "name": "ann",
                 "apiGroup": "rbac.authorization.k8s.io"}],
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "all"}}\
                """);
            for (String path : List.of(role, binding)) {
                var held = bob.send("PATCH", path + "/all", finalizer);
                assertThat(held.code()).as(held.text()).isEqualTo(200);
                var labelled = bob.send("PATCH", path + "/all", label);
                assertThat(labelled.code()).as(labelled.text()).isEqualTo(403);
            }
            var widened = bob.send("PATCH", binding + "/all", """
                {"subjects": [{"kind": "User", "name": "bob", "apiGroup": "rbac.authorization.k8s.io"}]}\
                """);
            assertThat(widened.code()).as(widened.text()).isEqualTo(403);
        }
    }
}
