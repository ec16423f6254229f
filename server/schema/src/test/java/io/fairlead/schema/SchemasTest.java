package io.fairlead.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SchemasTest {
    private final Schemas schemas = Schemas.builtIn();

    @Test
    void a_kind_is_found_by_its_version_and_name() {
        assertThat(schemas.find("v1", "Service").orElseThrow().name()).isEqualTo("io.k8s.api.core.v1.Service");
        assertThat(schemas.find("apps/v1", "Deployment").orElseThrow().name())
                .isEqualTo("io.k8s.api.apps.v1.Deployment");
        assertThat(schemas.find("v1", "Deployment")).isEmpty();
        assertThat(schemas.find("v1", "ServiceSpec"))
                .as("a struct that is no kind")
                .isEmpty();
    }

    @Test
    void every_kind_that_the_server_knows_has_its_fields() {
        assertThat(Kind.ALL).allSatisfy(kind -> {
            assertThat(schemas.find(kind.apiVersion(), kind.name())).isPresent();
            assertThat(schemas.find(kind.apiVersion(), kind.name() + "List")).isPresent();
        });
    }

    @Test
    void the_options_of_a_delete_are_known_in_every_version() {
        assertThat(schemas.find("v1", "DeleteOptions")).isPresent();
        assertThat(schemas.find("apps/v1", "DeleteOptions")).isEqualTo(schemas.find("v1", "DeleteOptions"));
    }

    @Test
    void a_field_leads_to_the_struct_that_it_holds() {
        StructType service = schemas.find("v1", "Service").orElseThrow();
        FieldType.Struct spec =
                (FieldType.Struct) service.find("spec").orElseThrow().type();

        assertThat(schemas.struct(spec).fields()).containsKeys("ports", "selector", "clusterIP");
    }

    @Test
    void the_ports_of_a_service_are_told_apart_by_port_and_protocol_but_patched_by_port() {
        Field ports =
                schemas.struct("io.k8s.api.core.v1.ServiceSpec").find("ports").orElseThrow();

        assertThat(ports.type())
                .isEqualTo(new FieldType.ListOf(
                        new FieldType.Struct("io.k8s.api.core.v1.ServicePort"),
                        new FieldType.ListSemantics.Keyed(List.of("port", "protocol"))));
        assertThat(ports.patching()).isEqualTo(new Field.Patching(true, "port", false));
        assertThat(schemas.struct("io.k8s.api.core.v1.ServicePort").find("protocol"))
                .map(Field::defaultValue)
                .contains("TCP");
    }

    @Test
    void selectors_have_one_owner() {
        assertThat(schemas.struct("io.k8s.api.core.v1.ServiceSpec").find("selector"))
                .map(Field::type)
                .contains(new FieldType.MapOf(FieldType.Scalar.STRING, true));
        assertThat(schemas.struct("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector")
                        .atomic())
                .isTrue();
    }

    @Test
    void the_sources_of_a_volume_are_fields_of_the_volume() {
        StructType volume = schemas.struct("io.k8s.api.core.v1.Volume");

        assertThat(volume.fields()).containsKeys("name", "configMap", "emptyDir");
        assertThat(volume.inlined()).containsExactly(new StructType.Inlined(2, "io.k8s.api.core.v1.VolumeSource"));
    }

    @Test
    void no_table_refers_to_a_struct_that_is_not_there() {
        allStructs()
                .flatMap(struct -> struct.fields().values().stream())
                .forEach(field -> mentioned(field.type()).ifPresent(schemas::struct));
    }

    @Test
    void no_two_fields_of_a_message_have_the_same_number() {
        assertThat(allStructs().filter(struct -> struct.inlined().isEmpty()))
                .allSatisfy(struct -> assertThat(struct.fields().values().stream()
                                .map(Field::number)
                                .filter(number -> number > 0))
                        .as(struct.name())
                        .doesNotHaveDuplicates());
    }

    @Test
    void every_key_of_a_list_is_a_field_of_its_items() {
        allStructs().flatMap(struct -> struct.fields().values().stream()).forEach(field -> {
            if (field.type() instanceof FieldType.ListOf(FieldType.Struct item, FieldType.ListSemantics.Keyed keyed)) {
                assertThat(schemas.struct(item).fields())
                        .as(field.name())
                        .containsKeys(keyed.keys().toArray(String[]::new));
            }
            if (field.type() instanceof FieldType.ListOf(FieldType.Struct item, var _)
                    && !field.patching().mergeKey().isEmpty()) {
                assertThat(schemas.struct(item).fields())
                        .containsKey(field.patching().mergeKey());
            }
        });
    }

    @Test
    void what_users_write_by_hand_is_described() {
        Stream.of(
                        "core.v1.ServiceSpec",
                        "core.v1.ServicePort",
                        "discovery.v1.Endpoint",
                        "networking.v1.IngressSpec",
                        "apps.v1.DeploymentSpec",
                        "core.v1.ContainerPort")
                .map(name -> schemas.struct("io.k8s.api." + name))
                .forEach(struct -> assertThat(struct.fields().values())
                        .as(struct.name())
                        .allSatisfy(field -> assertThat(field.description()).endsWith(".")));
    }

    private Stream<StructType> allStructs() {
        return Arrays.stream(SchemaGroup.values()).flatMap(group -> schemas.table(group).structs().values().stream());
    }

    private static Optional<FieldType.Struct> mentioned(FieldType type) {
        return switch (type) {
            case FieldType.Struct struct -> Optional.of(struct);
            case FieldType.ListOf(var element, var _) -> mentioned(element);
            case FieldType.MapOf(var value, var _) -> mentioned(value);
            case FieldType.Scalar _ -> Optional.empty();
        };
    }
}
