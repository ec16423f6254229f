package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Puts a value of the wrong type into every place of an object: the client gets an answer, never an internal error.
@Timeout(120)
final class WrongTypesTest {
    private static final List<JsonNode> WRONG = Stream.of(
                    "null", "\"x\"", "-1", "1e99", "true", "[]", "{}", "[7]", "[{}]")
            .map(Json::parse)
            .toList();

    @AutoClose
    private static final TestServer server = TestServer.running();

    static Stream<Map.Entry<String, String>> objects() {
        String core = "/api/v1/namespaces/default/";
        return Stream.of(
                Map.entry(core + "services", """
                    {"apiVersion":"v1","kind":"Service","metadata":{"name":"x","labels":{"a":"b"},"annotations":{"a":"b"},
                     "finalizers":["a/b"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},
                     "spec":{"type":"LoadBalancer","clusterIP":"10.96.0.9","clusterIPs":["10.96.0.9"],
                     "ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","selector":{"a":"b"},
                     "ports":[{"name":"a","port":80,"protocol":"TCP","targetPort":80,"nodePort":30009,"appProtocol":"x"}],
                     "sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":5}},
                     "externalIPs":["192.0.2.1"],"externalTrafficPolicy":"Local","internalTrafficPolicy":"Cluster",
                     "loadBalancerSourceRanges":["10.0.0.0/8"],"healthCheckNodePort":30010,
                     "allocateLoadBalancerNodePorts":true,"loadBalancerClass":"a/b","publishNotReadyAddresses":true},
                     "status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}\
                    """),
                Map.entry(core + "pods", """
                    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"nodeName":"n","hostNetwork":false,
                     "terminationGracePeriodSeconds":3,"containers":[{"name":"a","image":"i","command":["c"],"args":["d"],
                     "env":[{"name":"A","value":"B"}],"ports":[{"name":"http","containerPort":80,"protocol":"TCP"}]}]},
                     "status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],
                     "containerStatuses":[{"ready":true,"restartCount":1}],"podIPs":[{"ip":"10.1.0.5"}]}}\
                    """),
                Map.entry("/apis/apps/v1/namespaces/default/deployments", """
                    {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x"},"spec":{"replicas":1,
                     "selector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]},
                     "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}},
                     "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"m","image":"x"}]}}}}\
                    """),
                Map.entry("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", """
                    {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":"x"},"addressType":"IPv4",
                     "ports":[{"name":"","port":80,"protocol":"TCP"}],"endpoints":[{"addresses":["10.1.0.5"],
                     "conditions":{"ready":true},"nodeName":"n","targetRef":{"kind":"Pod","name":"p"}}]}\
                    """),
                Map.entry(core + "endpoints", """
                    {"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"x"},"subsets":[{"ports":[{"port":80}],
                     "addresses":[{"ip":"10.1.0.5"}],"notReadyAddresses":[{"ip":"10.1.0.6"}]}]}\
                    """),
                Map.entry("/api/v1/nodes", """
                    {"apiVersion":"v1","kind":"Node","metadata":{"name":"x"},"spec":{"podCIDR":"10.1.0.0/24",
                     "podCIDRs":["10.1.0.0/24"],"unschedulable":false},"status":{"addresses":[{"type":"InternalIP",
                     "address":"192.0.2.1"}],"conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"osImage":"x"}}}\
                    """),
                Map.entry("/api/v1/namespaces", """
                    {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x","labels":{"a":"b"}},
                     "spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}\
                    """));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void no_wrong_type_is_an_internal_error(Map.Entry<String, String> entry) throws Exception {
        String path = entry.getKey();
        JsonNode right = Json.parse(entry.getValue());
        assertThat(server.post(path, right.toString()).code()).isEqualTo(201);
        List<String> failures = new ArrayList<>();
        for (JsonNode wrong : mutants(right)) {
            check(failures, "POST", path + "?dryRun=All", wrong);
            check(failures, "PUT", path + "/x?dryRun=All", wrong);
            check(failures, "PUT", path + "/x/status?dryRun=All", wrong);
        }
        assertThat(failures).isEmpty();
    }

    /// The server does not check what a client stores in a status: showing it must not fail either.
    @ParameterizedTest
    @MethodSource("objects")
    void whatever_is_stored_can_be_shown(Map.Entry<String, String> entry) throws Exception {
        String path = entry.getKey();
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        for (JsonNode wrong : mutants(Json.parse(entry.getValue()).path("status"))) {
            server.send(
                    "PATCH",
                    path + "/x/status",
                    "application/json-patch+json",
                    "[{\"op\":\"add\",\"path\":\"/status\",\"value\":" + wrong + "}]");
            assertThat(server.get(path, table).statusCode()).as("%s", wrong).isEqualTo(200);
        }
    }

    private static void check(List<String> failures, String method, String path, JsonNode body) throws Exception {
        var reply = server.send(method, path, "application/json", body.toString());
        if (reply.code() >= 500) {
            failures.add(method + " " + path + " " + body + " -> " + reply.message());
        }
    }

    /// The tree with one value replaced, for every place and every wrong value.
    private static List<JsonNode> mutants(JsonNode tree) {
        List<JsonNode> mutants = new ArrayList<>(WRONG);
        if (tree instanceof ObjectNode object) {
            for (String field : object.propertyNames()) {
                mutants(object.path(field))
                        .forEach(value -> mutants.add(object.deepCopy().set(field, value)));
            }
        } else if (tree instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                for (JsonNode value : mutants(array.path(i))) {
                    ArrayNode copy = array.deepCopy();
                    copy.set(i, value);
                    mutants.add(copy);
                }
            }
        }
        return mutants;
    }
}
