package io.fairlead.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.yaml.Yaml;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class RbacTest {
    private static final String POLICY = """
        {kind: ClusterRole, metadata: {name: reader},
         rules: [{apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]},
                 {apiGroups: [apps], resources: ["*/scale"], verbs: [update]},
                 {nonResourceURLs: [/metrics, /logs/*], verbs: [get]}]}
        ---
        {kind: Role, metadata: {name: keeper, namespace: shop},
         rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [menu], verbs: ["*"]}]}
        ---
        {kind: Role, metadata: {name: reader, namespace: shop},
         rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]}
        ---
        {kind: ClusterRoleBinding, metadata: {name: everywhere}, roleRef: {kind: ClusterRole, name: reader},
         subjects: [{kind: User, name: ann}, {kind: Group, name: crew}]}
        ---
        {kind: RoleBinding, metadata: {name: here, namespace: shop}, roleRef: {kind: ClusterRole, name: reader},
         subjects: [{kind: User, name: bob}, {kind: ServiceAccount, name: robot}]}
        ---
        {kind: RoleBinding, metadata: {name: menu, namespace: shop}, roleRef: {kind: Role, name: keeper},
         subjects: [{kind: User, name: bob}, {kind: ServiceAccount, name: robot, namespace: lab}]}
        ---
        {kind: RoleBinding, metadata: {name: dangling, namespace: shop}, roleRef: {kind: Role, name: nowhere},
         subjects: [{kind: User, name: eve}]}
        """;

    private final Rbac rbac = rbac(Yaml.parseAll(POLICY));

    private static Rbac rbac(List<JsonNode> objects) {
        return Rbac.of(new Rbac.Policy(
                of(objects, "Role"),
                of(objects, "ClusterRole"),
                of(objects, "RoleBinding"),
                of(objects, "ClusterRoleBinding")));
    }

    private static List<JsonNode> of(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(object -> Json.text(object, "kind").equals(kind))
                .toList();
    }

    private static User user(String name, String... groups) {
        return new User(name, "", Set.of(groups), Map.of());
    }

    /// `what` is a resource with group, subresource and name: `apps/deployments/scale:web`.
    private boolean may(User user, String verb, String what, String namespace) {
        String[] parts = what.split(":", 2);
        String[] words = parts[0].split("/", -1);
        String name = parts.length > 1 ? parts[1] : "";
        var on = new AccessRequest.Resource(words[0], words[1], words.length > 2 ? words[2] : "", namespace, name);
        return rbac.allows(new AccessRequest(user, verb, on));
    }

    @Test
    void a_cluster_binding_holds_in_every_namespace_and_a_binding_only_in_its_own() {
        assertThat(may(user("ann"), "list", "/pods", "")).isTrue();
        assertThat(may(user("ann"), "get", "/pods", "anywhere")).isTrue();
        assertThat(may(user("x", "crew"), "get", "/pods", "anywhere")).isTrue();
        assertThat(may(user("bob"), "get", "/pods", "shop")).isTrue();
        assertThat(may(user("bob"), "get", "/pods", "other")).isFalse();
        assertThat(may(user("bob"), "list", "/pods", "")).isFalse();
    }

    @Test
    void nothing_is_allowed_that_no_rule_names() {
        assertThat(may(user("ann"), "delete", "/pods", "shop")).isFalse();
        assertThat(may(user("ann"), "get", "/services", "shop")).isFalse();
        assertThat(may(user("ann"), "get", "apps/pods", "shop")).isFalse();
        assertThat(may(user("nobody"), "get", "/pods", "shop")).isFalse();
        assertThat(may(user("eve"), "get", "/pods", "shop")).isFalse();
    }

    @Test
    void a_subresource_is_a_right_of_its_own() {
        assertThat(may(user("ann"), "get", "/pods/log", "shop")).isTrue();
        assertThat(may(user("ann"), "get", "/pods/exec", "shop")).isFalse();
        assertThat(may(user("ann"), "update", "apps/deployments/scale", "shop")).isTrue();
        assertThat(may(user("ann"), "update", "apps/deployments", "shop")).isFalse();
    }

    @Test
    void a_rule_with_names_is_about_these_objects_alone() {
        assertThat(may(user("bob"), "update", "/configmaps:menu", "shop")).isTrue();
        assertThat(may(user("bob"), "update", "/configmaps:other", "shop")).isFalse();
        assertThat(may(user("bob"), "list", "/configmaps", "shop")).isFalse();
    }

    @Test
    void a_role_and_a_cluster_role_of_one_name_are_two() {
        assertThat(may(user("bob"), "get", "/secrets", "shop")).isFalse();
    }

    @Test
    void the_namespace_of_an_account_is_that_of_the_binding_unless_it_says_another() {
        assertThat(may(user("system:serviceaccount:shop:robot"), "get", "/pods", "shop"))
                .isTrue();
        assertThat(may(user("system:serviceaccount:lab:robot"), "get", "/pods", "shop"))
                .isFalse();
        assertThat(may(user("system:serviceaccount:lab:robot"), "update", "/configmaps:menu", "shop"))
                .isTrue();
    }

    @Test
    void paths_are_granted_for_the_whole_cluster_only() {
        var metrics = new AccessRequest.Path("/metrics");
        assertThat(rbac.allows(new AccessRequest(user("ann"), "get", metrics))).isTrue();
        assertThat(rbac.allows(new AccessRequest(user("bob"), "get", metrics))).isFalse();
        assertThat(rbac.allows(new AccessRequest(user("ann"), "post", metrics))).isFalse();
        assertThat(rbac.allows(new AccessRequest(user("ann"), "get", new AccessRequest.Path("/logs/x/y"))))
                .isTrue();
        assertThat(rbac.allows(new AccessRequest(user("ann"), "get", new AccessRequest.Path("/metrics/x"))))
                .isFalse();
    }

    @Test
    void masters_may_do_everything_without_any_role() {
        User root = user("root", User.MASTERS);
        assertThat(Rbac.NOTHING.allows(new AccessRequest(root, "get", new AccessRequest.Path("/"))))
                .isTrue();
        assertThat(rbac.rulesFor(root, "shop")).hasSize(2);
    }

    @Test
    void a_refusal_says_who_cannot_do_what_and_where() {
        var services = new AccessRequest.Resource("", "services", "", "default", "");
        assertThat(new AccessRequest(user("x"), "list", services).refusal())
                .isEqualTo(
                        "User \"x\" cannot list resource \"services\" in API group \"\" in the namespace \"default\"");
        var nodes = new AccessRequest.Resource("", "nodes", "status", "", "n");
        assertThat(new AccessRequest(user("x"), "patch", nodes).refusal())
                .isEqualTo("User \"x\" cannot patch resource \"nodes/status\" in API group \"\" at the cluster scope");
        assertThat(new AccessRequest(user("x"), "get", new AccessRequest.Path("/")).refusal())
                .isEqualTo("User \"x\" cannot get path \"/\"");
    }

    @Test
    void a_role_that_gathers_others_says_what_they_say_also_in_a_circle() {
        Rbac gathered = rbac(Yaml.parseAll("""
            {kind: ClusterRole, metadata: {name: a, labels: {to: b}},
             rules: [{apiGroups: [""], resources: [pods], verbs: [get]}],
             aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: a}}]}}
            ---
            {kind: ClusterRole, metadata: {name: b, labels: {to: a}},
             aggregationRule: {clusterRoleSelectors: [{matchExpressions: [{key: to, operator: Exists}]}]}}
            ---
            {kind: ClusterRole, metadata: {name: c, labels: {to: c}},
             rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]}
            """));
        JsonNode a = Json.parse("{\"kind\": \"ClusterRole\", \"name\": \"a\"}");
        assertThat(gathered.rulesOf(a, ""))
                .flatExtracting(PolicyRule::resources)
                .containsExactlyInAnyOrder("pods", "nodes");
    }

    @Test
    void no_user_gives_away_more_than_he_has() {
        List<PolicyRule> wanted = PolicyRule.allOf(Yaml.parseAll("""
            rules:
            - {apiGroups: [""], resources: [pods], verbs: [get]}
            - {apiGroups: [""], resources: [pods], resourceNames: [one], verbs: [list]}
            - {apiGroups: [apps], resources: [deployments/scale], verbs: [update]}
            - {nonResourceURLs: [/logs/mine], verbs: [get]}
            - {apiGroups: [""], resources: [pods], verbs: ["*"]}
            - {apiGroups: ["*"], resources: [pods], verbs: [get]}
            - {nonResourceURLs: ["*"], verbs: [get]}
            """).getFirst());
        assertThat(rbac.beyond(user("ann"), "shop", wanted)).isEqualTo(wanted.subList(4, 7));
        assertThat(rbac.beyond(user("root", User.MASTERS), "shop", wanted)).isEmpty();
        List<PolicyRule> allMenus =
                PolicyRule.allOf(Yaml.parseAll("rules: [{apiGroups: [''], resources: [configmaps]," + " verbs: [get]}]")
                        .getFirst());
        assertThat(rbac.beyond(user("bob"), "shop", allMenus)).isEqualTo(allMenus);
    }

    @Test
    void the_default_policy_gives_each_part_what_it_needs_and_no_more() {
        Rbac policy = rbac(DefaultPolicy.objects());
        User proxy = user("system:kube-proxy", User.AUTHENTICATED);
        var slices = new AccessRequest.Resource("discovery.k8s.io", "endpointslices", "", "", "");
        assertThat(policy.allows(new AccessRequest(proxy, "watch", slices))).isTrue();
        assertThat(policy.allows(new AccessRequest(proxy, "delete", slices))).isFalse();
        var secrets = new AccessRequest.Resource("", "secrets", "", "", "");
        User node = User.of(Subject.node("n1"));
        assertThat(policy.allows(new AccessRequest(node, "list", secrets))).isFalse();
        User dns = user("fairlead:dns", User.AUTHENTICATED);
        assertThat(policy.allows(new AccessRequest(dns, "list", secrets))).isFalse();
        User controllers = user("system:kube-controller-manager", User.AUTHENTICATED);
        assertThat(policy.allows(new AccessRequest(controllers, "list", secrets)))
                .isTrue();
        var users = new AccessRequest.Resource("", "users", "", "", "x");
        assertThat(policy.allows(new AccessRequest(controllers, "impersonate", users)))
                .isFalse();
    }

    @Test
    void anonymous_clients_learn_whether_we_live_and_who_we_are() {
        Rbac policy = rbac(DefaultPolicy.objects());
        for (String path : List.of("/healthz", "/livez", "/readyz", "/version", "/version/")) {
            assertThat(policy.allows(new AccessRequest(User.ANONYMOUS, "get", new AccessRequest.Path(path))))
                    .as(path)
                    .isTrue();
        }
        for (String path : List.of("/", "/api", "/apis", "/metrics", "/openapi/v2", "/healthz/cache")) {
            assertThat(policy.allows(new AccessRequest(User.ANONYMOUS, "get", new AccessRequest.Path(path))))
                    .as(path)
                    .isFalse();
        }
    }
}
