package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the server takes and refuses of the kinds that it keeps for others.
@Timeout(60)
final class KindsTest {
    private static final String DEFAULT = "/api/v1/namespaces/default/";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static TestServer.Reply create(String path, String yaml) throws Exception {
        return server.send("POST", path, "application/yaml", yaml);
    }

    @Test
    void what_a_secret_is_sent_as_text_is_kept_as_base64() throws Exception {
        var created = create(
                DEFAULT + "secrets", "{metadata: {name: folded}, stringData: {user: admin}, data: {pin: MTIzNA==}}");

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("data", "user")).isEqualTo("YWRtaW4=");
        assertThat(created.text("data", "pin")).isEqualTo("MTIzNA==");
        assertThat(created.text("type")).isEqualTo("Opaque");
        assertThat(created.body().has("stringData")).isFalse();
        var patched = server.merge(DEFAULT + "secrets/folded", "{\"stringData\":{\"pin\":\"9\"}}");
        assertThat(patched.text("data", "pin")).isEqualTo("OQ==");
    }

    @Test
    void a_refused_secret_is_not_repeated_in_the_refusal() throws Exception {
        var refused = create(DEFAULT + "secrets", "{metadata: {name: bad}, data: {password: '!hunter2!'}}");

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).contains("base64").doesNotContain("hunter2");
    }

    @Test
    void a_secret_stays_of_its_type_and_has_what_its_type_needs() throws Exception {
        create(DEFAULT + "secrets", "{metadata: {name: typed}, type: example.com/a}");
        assertThat(server.merge(DEFAULT + "secrets/typed", "{\"type\":\"example.com/b\"}")
                        .message())
                .contains("type: Invalid value: \"example.com/b\": field is immutable");
        var tls =
                create(DEFAULT + "secrets", "{metadata: {name: tls}, type: kubernetes.io/tls, data: {tls.crt: AA==}}");
        assertThat(tls.message()).contains("data[tls.key]: Required value");
    }

    @ParameterizedTest
    @CsvSource({"configmaps, hello", "secrets, aGVsbG8="})
    void an_immutable_one_stays_as_it_is(String plural, String value) throws Exception {
        String path = DEFAULT + plural;
        create(path, "{metadata: {name: fixed}, immutable: true, data: {a: %s}}".formatted(value));

        var changed = server.merge(path + "/fixed", "{\"data\":{\"a\":\"aGVsbG8y\"},\"immutable\":false}");
        assertThat(changed.code()).isEqualTo(422);
        assertThat(changed.message())
                .contains("immutable: Forbidden: field is immutable when `immutable` is set")
                .contains("data: Forbidden: field is immutable when `immutable` is set");
        assertThat(server.merge(path + "/fixed", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void a_config_map_is_of_texts_under_plain_keys_and_not_too_large() throws Exception {
        String path = DEFAULT + "configmaps";
        assertThat(create(path, "{metadata: {name: a}, data: {'no spaces': x}}").message())
                .contains("a valid config key must consist of");
        assertThat(create(path, "{metadata: {name: a}, data: {k: 5}}").message())
                .contains("cannot unmarshal number into Go struct field ConfigMap.data of type string");
        assertThat(create(path, "{metadata: {name: a}, data: {k: x}, binaryData: {k: AA==}}")
                        .message())
                .contains("duplicate of key present in data");
        assertThat(create(path, "{metadata: {name: a}, data: {k: " + "x".repeat(1024 * 1024 + 1) + "}}")
                        .message())
                .contains("Too long: must have at most 1048576 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events|{involvedObject: {namespace: other}}|does not match event.namespace",
                "events|{involvedObject: {namespace: default}, eventTime: '2026-01-01T00:00:00.0Z'}|action: Required"
                        + " value",
                "leases.coordination.k8s.io|{spec: {leaseDurationSeconds: 0}}|must be greater than 0",
                "leases.coordination.k8s.io|{spec: {leaseTransitions: -1}}|must be greater than or equal to 0",
                "ingresses.networking.k8s.io|{spec: {}}|either `defaultBackend` or `rules` must be specified",
                "ingresses.networking.k8s.io|{spec: {rules: [{host: 10.0.0.1}]}}|must be a DNS name, not an IP address",
                "ingresses.networking.k8s.io|{spec: {rules: [{http: {paths: [{path: /}]}}]}}|pathType must be"
                        + " specified",
                "ingresses.networking.k8s.io|{spec: {rules: [{http: {paths: [{path: a, pathType: Prefix}]}}]}}|must be"
                        + " an absolute path",
                "ingresses.networking.k8s.io|{spec: {defaultBackend: {service: {name: a}}}}|port name or number is"
                        + " required",
                "ingressclasses.networking.k8s.io|{spec: {controller: plain}}|must be a domain-prefixed path",
                "roles.rbac.authorization.k8s.io|{rules: [{apiGroups: ['']}]}|verbs must contain at least one value",
                "roles.rbac.authorization.k8s.io|{rules: [{verbs: [get], nonResourceURLs: [/x]}]}|namespaced rules"
                        + " cannot apply to non-resource URLs",
                "rolebindings.rbac.authorization.k8s.io|{roleRef: {apiGroup: x.y, kind: Role, name:"
                        + " x}}|roleRef.apiGroup: Unsupported value",
                "daemonsets.apps|{spec: {}}|spec.selector: Required value",
                "statefulsets.apps|{spec: {replicas: -1}}|must be greater than or equal to 0",
            })
    void what_breaks_a_rule_of_its_kind_is_refused(String kind, String fields, String rule) throws Exception {
        var refused = create(path(kind), "{metadata: {name: refused}, " + fields.substring(1));

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events|{involvedObject: {namespace: default, kind: Pod, name: a}, reason: Started, type: Normal}",
                "serviceaccounts|{automountServiceAccountToken: false}",
                "leases.coordination.k8s.io|{spec: {holderIdentity: me, leaseDurationSeconds: 15}}",
                "ingresses.networking.k8s.io|{spec: {rules: [{host: '*.example.com', http: {paths: [{path: /,"
                        + " pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}}",
                "ingressclasses.networking.k8s.io|{spec: {controller: example.com/a}}",
                "controllerrevisions.apps|{revision: 3, data: {a: b}}",
                "statefulsets.apps|{spec: {serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata:"
                        + " {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}",
                "daemonsets.apps|{spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec:"
                        + " {containers: [{name: a, image: a}]}}}}",
                "poddisruptionbudgets.policy|{spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}}",
                "clusterroles.rbac.authorization.k8s.io|{rules: [{verbs: [get], nonResourceURLs: [/healthz]}]}",
                "clusterrolebindings.rbac.authorization.k8s.io|{roleRef: {apiGroup: rbac.authorization.k8s.io, kind:"
                        + " ClusterRole, name: 'system:x'}, subjects: [{kind: User, name: jane}]}",
            })
    void what_keeps_the_rules_of_its_kind_is_kept(String kind, String fields) throws Exception {
        var created = create(path(kind), "{metadata: {name: kept}, " + fields.substring(1));
        assertThat(created.code()).describedAs(created.message()).isEqualTo(201);
        assertThat(server.get(path(kind) + "/kept").code()).isEqualTo(200);
        assertThat(server.get(path(kind)).names()).contains("kept");
        assertThat(server.delete(path(kind) + "/kept").code()).isEqualTo(200);
    }

    @Test
    void roles_may_be_named_with_colons() throws Exception {
        var created =
                create(path("clusterroles.rbac.authorization.k8s.io"), "{metadata: {name: 'system:mine'}, rules: []}");
        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void a_binding_stays_to_its_role() throws Exception {
        String path = path("rolebindings.rbac.authorization.k8s.io");
        create(path, "{metadata: {name: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}}");
        assertThat(server.merge(path + "/b", "{\"roleRef\":{\"name\":\"other\"}}")
                        .message())
                .contains("cannot change roleRef");
    }

    private static String path(String word) {
        Kind kind = Kind.find(word).orElseThrow();
        return kind.path(kind.namespaced() ? "default" : "");
    }
}
