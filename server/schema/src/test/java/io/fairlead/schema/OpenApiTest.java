package io.fairlead.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class OpenApiTest {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final Kind SCALE = new Kind("autoscaling", "v1", "Scale", "", true, List.of());
    private static final List<ApiResource> RESOURCES = Kind.ALL.stream()
            .map(kind -> new ApiResource(
                    kind,
                    VERBS,
                    kind.equals(Kind.DEPLOYMENT)
                            ? List.of(new ApiResource.Part("scale", SCALE, List.of("get", "patch", "update")))
                            : List.of()))
            .toList();

    private static final String SPEC = "io.k8s.api.core.v1.ServiceSpec";

    @Test
    void a_field_tells_its_type_its_keys_and_what_it_is_for() {
        JsonNode ports = Json.at(OpenApi.v2(RESOURCES), "definitions", SPEC, "properties", "ports");

        assertThat(ports).isEqualTo(Json.parse("""
                {"type": "array", "items": {"$ref": "#/definitions/io.k8s.api.core.v1.ServicePort"},
                 "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
                 "description": "The ports on which the Service answers. Only a headless or an ExternalName Service may have none.",
                 "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port"}"""));
    }

    @Test
    void a_kind_names_its_group_version_and_kind() {
        assertThat(Json.at(
                        OpenApi.v2(RESOURCES),
                        "definitions",
                        "io.k8s.api.apps.v1.Deployment",
                        "x-kubernetes-group-version-kind"))
                .isEqualTo(Json.parse("""
                        [{"group": "apps", "kind": "Deployment", "version": "v1"}]"""));
    }

    @Test
    void every_kind_has_a_definition_and_every_reference_leads_to_one() {
        ObjectNode document = OpenApi.v2(RESOURCES);
        Set<String> defined = names(document.path("definitions"));

        assertThat(defined)
                .containsAll(Kind.ALL.stream()
                        .map(kind -> Schemas.builtIn()
                                .find(kind.apiVersion(), kind.name())
                                .orElseThrow()
                                .name())
                        .toList());
        assertThat(references(document))
                .isSubsetOf(defined.stream().map("#/definitions/"::concat).toList());
    }

    @Test
    void a_patch_takes_four_forms_and_checks_fields_on_request() {
        JsonNode patch =
                Json.at(OpenApi.v2(RESOURCES), "paths", "/api/v1/namespaces/{namespace}/services/{name}", "patch");

        assertThat(Json.texts(patch, "consumes"))
                .contains("application/strategic-merge-patch+json", "application/apply-patch+yaml")
                .hasSize(4);
        assertThat(patch.path("parameters").valueStream().map(parameter -> Json.text(parameter, "name")))
                .contains("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(patch.path("x-kubernetes-group-version-kind")).isEqualTo(Json.parse("""
                {"group": "", "kind": "Service", "version": "v1"}"""));
        assertThat(Json.text(patch, "operationId")).isEqualTo("patchCoreV1NamespacedService");
    }

    @Test
    void a_part_is_called_with_the_kind_that_it_is_of() {
        JsonNode scale = Json.at(
                OpenApi.v2(RESOURCES), "paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale", "put");

        assertThat(scale.path("x-kubernetes-group-version-kind")).isEqualTo(Json.parse("""
                {"group": "autoscaling", "kind": "Scale", "version": "v1"}"""));
    }

    @Test
    void operations_have_names_of_their_own() {
        List<String> ids = OpenApi.v2(RESOURCES)
                .path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .map(operation -> Json.text(operation, "operationId"))
                .filter(id -> !id.isEmpty())
                .toList();

        assertThat(ids).hasSizeGreaterThan(150).doesNotHaveDuplicates();
    }

    @Test
    void each_group_has_a_document_of_version_three_that_stands_by_itself() {
        for (String root : OpenApi.v3Roots(RESOURCES)) {
            ObjectNode document = OpenApi.v3Document(RESOURCES, root);
            Set<String> defined = names(Json.at(document, "components", "schemas"));

            assertThat(references(document))
                    .as(root)
                    .isNotEmpty()
                    .isSubsetOf(defined.stream()
                            .map("#/components/schemas/"::concat)
                            .toList());
        }
    }

    @Test
    void a_patch_of_version_three_lists_its_forms_and_its_parameters() {
        JsonNode patch = Json.at(
                OpenApi.v3Document(RESOURCES, "api/v1"),
                "paths",
                "/api/v1/namespaces/{namespace}/services/{name}",
                "patch");

        assertThat(names(Json.at(patch, "requestBody", "content"))).contains("application/strategic-merge-patch+json");
        assertThat(patch.path("parameters")
                        .valueStream()
                        .filter(parameter -> Json.text(parameter, "name").equals("fieldValidation")))
                .first()
                .satisfies(parameter ->
                        assertThat(Json.text(parameter, "schema", "type")).isEqualTo("string"));
    }

    @Test
    void the_index_leads_to_each_document_with_its_hash() {
        assertThat(OpenApi.v3Index(List.of(RESOURCES.getFirst()), root -> "H" + root.length()))
                .isEqualTo(Json.parse("""
                        {"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1?hash=H6"}}}"""));
    }

    @Test
    void the_protobuf_form_has_the_names_and_extensions_of_the_json_form() {
        ObjectNode document = OpenApi.v2(List.of(RESOURCES.getFirst()));
        WireReader reader = new WireReader(OpenApi.v2Protobuf(document));
        Set<String> definitions = new TreeSet<>();
        while (reader.hasMore()) {
            WireReader.Tag tag = reader.tag();
            WireReader part = reader.message();
            while (tag.number() == 9 && part.hasMore()) {
                part.tag();
                WireReader named = part.message();
                named.tag();
                definitions.add(named.text());
            }
        }
        assertThat(definitions).isEqualTo(names(document.path("definitions")));
    }

    private static Set<String> names(JsonNode object) {
        return object.propertyStream().map(java.util.Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> references(JsonNode document) {
        return document.findValuesAsString("$ref").stream().collect(Collectors.toCollection(TreeSet::new));
    }
}
