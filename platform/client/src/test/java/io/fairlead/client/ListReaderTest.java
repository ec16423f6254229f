package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.ParseException;
import io.fairlead.api.Revision;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ListReaderTest {
    private static final String HEAD =
            "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"x\"},";

    @Test
    void a_slice_read_from_a_stream_is_the_one_made_of_a_tree() {
        Random random = new Random(4);
        for (int round = 0; round < 300; round++) {
            List<String> items =
                    IntStream.range(0, 3).mapToObj(_ -> slice(random)).toList();
            assertThat(read(Kind.ENDPOINT_SLICE, list(items)).objects()).isEqualTo(views(Kind.ENDPOINT_SLICE, items));
        }
    }

    @Test
    void it_does_not_matter_in_which_pieces_a_list_comes() {
        Random random = new Random(5);
        List<String> items = new ArrayList<>(
                IntStream.range(0, 20).mapToObj(_ -> slice(random)).toList());
        items.add("{\"metadata\":{\"name\":\"a\\\\\",\"labels\":{\"q\\\"\\u00e9\":\"\\ud83d\\ude00 \\\\\"}}}");
        items.add("{ \"metadata\" : { \"name\" : \"größer\" ,\n \"generation\" : 12345678901 } }");
        items.add("{\"metadata\":{\"annotations\":{\"long\":\"%s\"}}}".formatted("0123456789\\n".repeat(20_000)));
        List<KubernetesObject> views = views(Kind.ENDPOINT_SLICE, items);
        for (int most : new int[] {1, 7, 4096, 1 << 20}) {
            assertThat(read(Kind.ENDPOINT_SLICE, pieces(list(items), most), Excerpt.WHOLE)
                            .objects())
                    .isEqualTo(views);
        }
    }

    @Test
    void fields_that_the_reader_does_not_use_are_passed_over_but_for_labels_of_that_name() {
        String item = "{\"metadata\":{\"uid\":\"u\",\"labels\":{\"uid\":\"label\"}},\"endpoints\":[{\"zone\":\"z\"}]}";
        Excerpt some = new Excerpt(Set.of("uid", "zone"), UnaryOperator.identity());
        EndpointSlice slice = (EndpointSlice) read(Kind.ENDPOINT_SLICE, stream(list(List.of(item))), some)
                .objects()
                .getFirst();
        assertThat(slice.metadata().uid()).isEmpty();
        assertThat(slice.metadata().labels()).containsExactly(Map.entry("uid", "label"));
        assertThat(slice.endpoints().getFirst().zone()).isEmpty();
    }

    @Test
    void numbers_are_those_of_a_tree() {
        for (String number : List.of("0", "7", "-3", "007", "123456789", "1234567890", "9999999999999", "1.5", "1e3")) {
            String item =
                    "{\"metadata\":{\"generation\":%s},\"spec\":{\"ports\":[{\"port\":%s}]}}".formatted(number, number);
            if (number.equals("007")) {
                assertThatThrownBy(() -> read(Kind.SERVICE, list(List.of(item))))
                        .isInstanceOf(ParseException.class);
            } else {
                assertThat(read(Kind.SERVICE, list(List.of(item))).objects())
                        .isEqualTo(views(Kind.SERVICE, List.of(item)));
            }
        }
    }

    @Test
    void what_is_no_json_or_too_deep_is_reported() {
        for (String broken :
                List.of("[]", "{\"items\":[{\"metadata\":}]}", "{items:[]}", "{\"items\":[{]}", "\"items\"")) {
            assertThatThrownBy(() -> read(Kind.SERVICE, broken)).as(broken).isInstanceOf(ParseException.class);
        }
        String deep = "{\"spec\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> read(Kind.SERVICE, list(List.of(deep))))
                .isInstanceOf(ParseException.class)
                .hasMessageContaining("levels");
    }

    @Test
    void other_kinds_are_read_alike() {
        List<String> items = List.of(
                "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"resourceVersion\":\"3\"},\"spec\":{\"clusterIP\":\"10.0.0.1\"}}");
        ListReader.Page page = read(Kind.SERVICE, list(items));
        assertThat(page.objects()).isEqualTo(views(Kind.SERVICE, items));
        assertThat(page.revision()).isEqualTo(new Revision(7));
        assertThat(page.more()).isEqualTo("x");
    }

    @Test
    void who_wrote_which_field_is_passed_over() {
        String fields = "\"managedFields\":[{\"fieldsV1\":{\"f:spec\":{\"f:ports\":{\".\":{}}}}}],";
        String plain = "{\"metadata\":{%s\"name\":\"a\"},\"spec\":{\"ports\":[{\"port\":80,\"targetPort\":\"web\"}]}}";
        assertThat(read(Kind.SERVICE, list(List.of(plain.formatted(fields)))).objects())
                .isEqualTo(views(Kind.SERVICE, List.of(plain.formatted(""))));
    }

    /// A watch gives trees, and with them what a list passes over.
    @Test
    void nothing_is_kept_of_who_wrote_which_field_whatever_the_kind() {
        String fields = "\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f:spec\":{\"f:ports\":{\".\":{}}}}}],";
        String plain = "{\"metadata\":{%s\"name\":\"a\",\"namespace\":\"n\"},\"spec\":{},\"status\":{},\"data\":{}}";
        JsonNode with = Json.parse(plain.formatted(fields));
        JsonNode without = Json.parse(plain.formatted(""));
        List<Kind> kept = Kind.ALL.stream()
                .filter(kind -> KubernetesObject.of(kind, without).isPresent())
                .toList();
        assertThat(kept).contains(Kind.SERVICE, Kind.ENDPOINT_SLICE, Kind.NODE, Kind.POD);
        assertThat(kept)
                .allSatisfy(kind ->
                        assertThat(KubernetesObject.of(kind, with)).isEqualTo(KubernetesObject.of(kind, without)));
    }

    @Test
    void an_item_is_what_is_kept_of_it() {
        UnaryOperator<KubernetesObject> excerpt =
                object -> EndpointSlice.of(Json.parse("{\"metadata\":{\"name\":\"kept\"}}"));
        InputStream one = stream(list(List.of("{\"metadata\":{\"name\":\"a\"}}")));
        assertThat(read(Kind.ENDPOINT_SLICE, one, new Excerpt(Set.of(), excerpt))
                        .objects())
                .extracting(object -> object.key().name())
                .containsExactly("kept");
    }

    @Test
    void no_items_are_an_empty_list_only_where_the_list_says_so() {
        assertThat(read(Kind.SERVICE, HEAD + "\"items\":null}").objects()).isEmpty();
        assertThat(read(Kind.SERVICE, HEAD + "\"items\":[]}").objects()).isEmpty();
        assertThatThrownBy(() -> read(Kind.SERVICE, "{\"kind\":\"Status\"}"))
                .isInstanceOf(ParseException.class)
                .hasMessageContaining("no list");
    }

    @Test
    void a_text_that_ends_early_is_no_list() {
        String whole = list(List.of(slice(new Random(1))));
        for (int length : new int[] {0, 1, whole.length() / 2, whole.length() - 1}) {
            assertThatThrownBy(() -> read(Kind.ENDPOINT_SLICE, whole.substring(0, length)))
                    .isInstanceOf(ParseException.class);
        }
    }

    private static ListReader.Page read(Kind kind, String text) {
        return read(kind, stream(text), Excerpt.WHOLE);
    }

    private static ListReader.Page read(Kind kind, InputStream text, Excerpt excerpt) {
        try {
            return new ListReader(kind, excerpt).read(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text in pieces of one to `most` bytes.
    private static InputStream pieces(String text, int most) {
        Random random = new Random(most);
        return new FilterInputStream(stream(text)) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return super.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
            }
        };
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String list(List<String> items) {
        return HEAD + "\"items\":[" + String.join(",", items) + "],\"more\":{\"a\":[1,{}]}}";
    }

    private static List<KubernetesObject> views(Kind kind, List<String> items) {
        return items.stream()
                .map(item -> KubernetesObject.of(kind, tree(item)).orElseThrow())
                .toList();
    }

    private static JsonNode tree(String text) {
        return Json.parse(text);
    }

    /// A slice in which every field may be missing, null, or of an unexpected form.
    private static String slice(Random random) {
        return object(
                random,
                "\"metadata\":{\"name\":\"s\",\"namespace\":\"n\",\"resourceVersion\":\"5\",\"labels\":{\"a\":\"b\"}}",
                "\"addressType\":\"IPv4\"",
                "\"endpoints\":" + array(random, ListReaderTest::endpoint),
                "\"endpoints\":null",
                "\"ports\":[{\"name\":\"http\",\"port\":80,\"protocol\":\"UDP\"},{\"port\":\"x\"}]",
                "\"unknown\":{\"deep\":[{\"er\":1}]}");
    }

    private static String endpoint(Random random) {
        return object(
                random,
                "\"addresses\":[\"10.0.0.%d\",\"no address\",7,\"fd00::1\"]".formatted(random.nextInt(256)),
                "\"conditions\":" + object(random, "\"ready\":false", "\"serving\":null", "\"terminating\":true"),
                "\"conditions\":null",
                "\"nodeName\":" + (random.nextBoolean() ? "\"node-a\"" : "{\"not\":\"text\"}"),
                "\"targetRef\":{\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\",\"x\":[1]}",
                "\"targetRef\":[]",
                "\"hostname\":\"h\"",
                "\"zone\":\"z\"",
                "\"hints\":{\"forZones\":[{\"name\":\"z\"}]}");
    }

    private static String array(Random random, java.util.function.Function<Random, String> item) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(_ -> item.apply(random))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /// Some of the fields, each name at most once.
    private static String object(Random random, String... fields) {
        List<String> some = new ArrayList<>();
        for (String field : fields) {
            String name = field.substring(0, field.indexOf(':'));
            if (random.nextBoolean() && some.stream().noneMatch(other -> other.startsWith(name + ":"))) {
                some.add(field);
            }
        }
        return "{" + String.join(",", some) + "}";
    }
}
