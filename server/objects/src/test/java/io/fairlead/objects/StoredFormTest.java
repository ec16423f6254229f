package io.fairlead.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

final class StoredFormTest {
    private static final Revision REVISION = new Revision(42);

    @Test
    void an_object_read_from_its_front_is_the_same_as_one_read_whole() {
        byte[] value = stored("""
            {"metadata":{"name":"Web","namespace":"größe","labels":{"app":"wéb","a\\"b":"\\u00e9"},
              "annotations":{"metadata":"}","nested":"{\\"x\\":[1]}"},"deletionTimestamp":"2026-11-15T12:00:00Z",
              "ownerReferences":[{"kind":"Node","uid":"u-1","controller":true},{"uid":"u-2","name":"b"}],
              "managedFields":[{"fieldsV1":{"f:metadata":{}}}],"resourceVersion":"7"},
             "spec":{"ports":[{"port":80}]},"kind":"Service","apiVersion":"v1"}\
            """);

        ApiObject quick = ApiObject.of(Kind.SERVICE, value, REVISION);
        ApiObject whole = ApiObject.of(Kind.SERVICE, Json.parse(value), REVISION);

        assertThat(StoredForm.read(Kind.SERVICE, value)).isPresent();
        assertThat(new String(quick.json(), StandardCharsets.UTF_8))
                .isEqualTo(new String(whole.json(), StandardCharsets.UTF_8))
                .contains("\"resourceVersion\":\"42\"");
        assertThat(quick.key()).isEqualTo(whole.key()).isEqualTo(new NamespacedName("größe", "Web"));
        assertThat(quick.labels()).isEqualTo(whole.labels()).hasSize(2);
        assertThat(quick.owners()).isEqualTo(whole.owners()).containsExactly("u-1", "u-2");
        assertThat(quick.isTerminating()).isTrue();
        assertThat(quick.tree()).isEqualTo(whole.tree());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"}}",
                "{\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"},\"kind\":\"Service\",\"apiVersion\":\"v1\"}",
                "{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"metadata\":"
                        + "{\"name\":\"a\",\"namespace\":\"b\",\"resourceVersion\":\"7\"}}",
                "{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"metadata\":"
                        + "{\"name\":\"a\",\"namespace\":\"b\",\"labels\":{\"n\":1}}}",
                "{\"kind\":\"Other\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"}}"
            })
    void a_value_in_another_form_is_read_whole(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);

        assertThat(StoredForm.read(Kind.SERVICE, bytes)).isEmpty();
        ApiObject object = ApiObject.of(Kind.SERVICE, bytes, REVISION);
        assertThat(object.key()).isEqualTo(new NamespacedName("b", "a"));
        assertThat(Json.text(Json.parse(object.json()), "metadata", "resourceVersion"))
                .isEqualTo("42");
    }

    @Test
    void the_tree_that_was_written_is_the_tree_that_is_read() {
        ObjectNode tree = (ObjectNode) Json.parse("{\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"},\"spec\":{}}");
        ObjectNode sorted = StoredForm.of(Kind.SERVICE, tree);

        ApiObject object =
                ApiObject.of(Kind.SERVICE, Json.bytes(sorted), REVISION).with(sorted);

        assertThat(object.tree()).isEqualTo(Json.parse(object.json()));
    }

    private static byte[] stored(String json) {
        return Json.bytes(StoredForm.of(Kind.SERVICE, (ObjectNode) Json.parse(json)));
    }
}
