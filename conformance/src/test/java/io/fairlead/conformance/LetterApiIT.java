package io.fairlead.conformance;

import static io.fairlead.conformance.LetterServer.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.api.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What the API server answers as Kubernetes' does, as kubectl, fabric8 or a plain request see it: one test for each
/// point by which a comparison told the two apart.
final class LetterApiIT {
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    private static LetterServer letter;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        letter = LetterServer.start(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        if (letter != null) {
            letter.close();
        }
    }

    private static KubernetesClientException refused(ThrowingCallable call) {
        return catchThrowableOfType(KubernetesClientException.class, call);
    }

    private static Service service(String name, int port) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewPort()
                .withPort(port)
                .endPort()
                .endSpec()
                .build();
    }

    /// Point 2.
    @Test
    void unknown_fields_are_dropped_and_wrong_types_are_bad_requests() throws Exception {
        String body = "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"colour\":\"red\",\"ports\":[{\"port\":%s}]}}";
        for (String level : List.of("Ignore", "Warn")) {
            RawClient.Reply made = letter.raw()
                    .send(
                            "POST",
                            SERVICES + "?fieldValidation=" + level,
                            body.formatted("pruned-" + level.toLowerCase(Locale.ROOT), "80"));
            assertThat(made.code()).isEqualTo(201);
            assertThat(made.body()).doesNotContain("colour");
            assertThat(made.header("Warning").isEmpty()).isEqualTo(level.equals("Ignore"));
        }
        RawClient.Reply typed = letter.raw().send("POST", SERVICES, body.formatted("typed", "\"eighty\""));
        assertThat(typed.code()).isEqualTo(400);
        assertThat(Json.text(Json.parse(typed.body()), "reason")).isEqualTo("BadRequest");
    }

    /// Point 3.
    @Test
    void lists_tables_and_yaml_have_the_shape_of_kubernetes() throws Exception {
        JsonNode list = Json.parse(letter.raw().get(SERVICES).body());
        assertThat(Json.text(list, "kind")).isEqualTo("ServiceList");
        assertThat(list.path("items")).isNotEmpty();
        assertThat(list.path("items").valueStream()).noneMatch(item -> item.has("kind") || item.has("apiVersion"));
        String table = letter.raw()
                .get(SERVICES + "/kubernetes", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                .body();
        assertThat(Json.text(Json.parse(table), "metadata", "resourceVersion")).matches("\\d+");
        assertThat(letter.raw()
                        .get(SERVICES + "/kubernetes", "Accept", "application/yaml")
                        .body())
                .startsWith("apiVersion: v1\nkind: Service\nmetadata:\n");
    }

    /// Point 4.
    @Test
    void faults_of_options_and_preconditions_and_unknown_paths_are_told_as_kubernetes_does() throws Exception {
        JsonNode options = Json.parse(letter.raw()
                .send("POST", SERVICES + "?dryRun=Some", "{\"metadata\":{\"name\":\"a\"}}")
                .body());
        assertThat(Json.text(options, "details", "group")).isEqualTo("meta.k8s.io");
        assertThat(Json.text(options, "details", "kind")).isEqualTo("CreateOptions");
        JsonNode precondition = Json.parse(letter.raw()
                .send("DELETE", SERVICES + "/kubernetes", "{\"preconditions\":{\"uid\":\"other\"}}")
                .body());
        assertThat(Json.text(precondition, "reason")).isEqualTo("Conflict");
        assertThat(Json.text(precondition, "details", "kind")).isEqualTo("Service");
        for (String path : List.of("/nothing", "/apis/example.com/v1/gadgets")) {
            RawClient.Reply unknown = letter.raw().get(path);
            assertThat(unknown.code()).isEqualTo(404);
            assertThat(unknown.body()).isEqualTo("404 page not found\n");
        }
        JsonNode gadgets = Json.parse(letter.raw().get("/api/v1/gadgets").body());
        assertThat(Json.text(gadgets, "reason")).isEqualTo("NotFound");
        assertThat(gadgets.path("details").isObject()).isTrue();
        assertThat(gadgets.path("details")).isEmpty();
        assertThat(letter.run("get", "gadgets").output())
                .contains("the server doesn't have a resource type \"gadgets\"");
    }

    /// Point 5.
    @Test
    void all_faults_of_an_object_are_told_on_their_paths() {
        KubernetesClientException zero = refused(
                () -> letter.server().client().resource(service("zero", 0)).create());
        assertThat(zero.getCode()).isEqualTo(422);
        assertThat(zero.getStatus().getDetails().getCauses())
                .extracting(StatusCause::getField)
                .containsExactlyInAnyOrder("spec.ports[0].port", "spec.ports[0].targetPort");

        Service ranges = service("ranges", 80);
        ranges.getSpec().setLoadBalancerSourceRanges(List.of("10.0.0.0/8"));
        assertThat(refused(() -> letter.server().client().resource(ranges).create())
                        .getStatus()
                        .getDetails()
                        .getCauses())
                .extracting(StatusCause::getField)
                .containsExactly("spec.LoadBalancerSourceRanges");

        Service port = service("port", 80);
        port.getSpec().getPorts().getFirst().setTargetPort(new IntOrString("a_b"));
        assertThat(refused(() -> letter.server().client().resource(port).create())
                        .getStatus()
                        .getDetails()
                        .getCauses())
                .extracting(StatusCause::getField)
                .containsOnly("spec.ports[0].targetPort");
    }

    /// Point 5: what is written by default.
    @Test
    void defaults_are_written_where_kubernetes_writes_them() throws Exception {
        letter.with("create", """
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: i}
            spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: s}
            addressType: IPv4
            endpoints: [{addresses: [10.0.0.1]}]
            """);
        assertThat(Json.parse(letter.field("ingress", "i", ".status"))).isEqualTo(Json.parse("{\"loadBalancer\":{}}"));
        assertThat(letter.field("endpointslice", "s", ".endpoints[0].conditions"))
                .isEqualTo("{}");
        assertThat(letter.with("create", """
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: j}
            spec: {defaultBackend: {service: {name: a, port: {number: 80, name: b}}}}
            """)).contains("spec.defaultBackend: Invalid value");
    }

    /// Point 6.
    @Test
    void removing_the_last_finalizer_answers_the_object_without_it() throws Exception {
        letter.with("create", "{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [a.b/c]}}");
        letter.run("delete", "configmap", "held", "--wait=false").ok();
        RawClient.Reply freed = letter.raw()
                .send(
                        "PATCH",
                        "/api/v1/namespaces/default/configmaps/held",
                        "{\"metadata\":{\"finalizers\":null}}",
                        "Content-Type",
                        "application/merge-patch+json");
        assertThat(freed.code()).isEqualTo(200);
        JsonNode metadata = Json.parse(freed.body()).path("metadata");
        assertThat(metadata.has("deletionTimestamp")).isTrue();
        assertThat(metadata.has("finalizers")).isFalse();
        assertThat(letter.raw()
                        .get("/api/v1/namespaces/default/configmaps/held")
                        .code())
                .isEqualTo(404);
        assertThat(letter.raw().send("DELETE", "/api/v1/namespaces", "").code()).isEqualTo(405);
        assertThat(Json.parse(letter.raw().get("/api/v1").body())
                        .path("resources")
                        .valueStream())
                .filteredOn(resource -> Json.text(resource, "name").equals("namespaces"))
                .allSatisfy(
                        resource -> assertThat(Json.texts(resource, "verbs")).doesNotContain("deletecollection"))
                .hasSize(1);
        assertThat(letter.raw()
                        .send(
                                "POST",
                                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                                "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}",
                                "Accept",
                                "application/json;as=Table;v=v1;g=meta.k8s.io")
                        .code())
                .isEqualTo(406);
    }

    /// Point 8.
    @Test
    void evictions_answer_at_once_and_a_circle_of_owners_ends() throws Exception {
        letter.with(
                "create",
                "{apiVersion: v1, kind: Pod, metadata: {name: evicted}, spec: {containers: [{name: a, image: a}]}}");
        assertThat(letter.raw()
                        .send(
                                "POST",
                                "/api/v1/namespaces/default/pods/evicted/eviction",
                                "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"evicted\"}}")
                        .code())
                .isEqualTo(201);

        letter.with("create", """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}
            """);
        for (List<String> pair : List.of(List.of("one", "two"), List.of("two", "one"))) {
            String owner =
                    "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"%s\",\"uid\":\"%s\",\"blockOwnerDeletion\":true}]}}"
                            .formatted(pair.get(1), letter.field("configmap", pair.get(1), ".metadata.uid"));
            letter.run("patch", "configmap", pair.get(0), "-p", owner).ok();
        }
        letter.raw()
                .send("DELETE", "/api/v1/namespaces/default/configmaps/one", "{\"propagationPolicy\":\"Foreground\"}");
        soon(() -> assertThat(letter.run("get", "configmaps", "one", "two", "--ignore-not-found")
                        .ok())
                .isEmpty());
    }

    /// Point 8.
    @Test
    void a_namespace_that_cannot_be_emptied_says_so() throws Exception {
        letter.run("create", "namespace", "held").ok();
        letter.with(
                "create",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: held, finalizers: [a.b/c]}}");
        letter.run("delete", "namespace", "held", "--wait=false").ok();
        soon(() -> assertThat(letter.field(
                        "namespace", "held", ".status.conditions[?(@.type=='NamespaceFinalizersRemaining')].message"))
                .contains("a.b/c in 1 resource instances"));
        letter.run("-n", "held", "patch", "configmap", "m", "-p", "{\"metadata\":{\"finalizers\":null}}")
                .ok();
        soon(() -> assertThat(letter.run("get", "namespace", "held", "--ignore-not-found")
                        .ok())
                .isEmpty());
    }
}
