package io.fairlead.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The `.hex` files are bodies that the protobuf classes of client-java 27 wrote for the `.json` files beside them.
final class ProtobufTest {
    static Stream<String> bodies() {
        return Stream.of(
                "controllerrevision",
                "deleteoptions",
                "deployment",
                "endpointslice",
                "event",
                "ingress",
                "lease",
                "node",
                "pod",
                "secret",
                "service",
                "servicelist",
                "subjectaccessreview");
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void a_body_of_another_program_gives_its_json(String name) {
        assertThat(Protobuf.decode(hex(name))).isEqualTo(json(name));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void what_is_encoded_comes_back(String name) {
        assertThat(Protobuf.decode(Protobuf.encode(json(name)))).isEqualTo(json(name));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void what_is_decoded_fits_its_kind(String name) {
        JsonNode tree = json(name);
        StructType kind = Schemas.builtIn()
                .find(Json.text(tree, "apiVersion"), Json.text(tree, "kind"))
                .orElseThrow();

        assertThat(FieldCheck.of(kind, tree)).isEqualTo(new FieldFaults(java.util.List.of(), java.util.List.of()));
    }

    @Test
    void what_go_writes_for_an_empty_field_is_left_out() {
        WireWriter port = new WireWriter()
                .text(1, "")
                .number(3, 80)
                .message(4, new WireWriter().number(1, 0).number(2, 0).text(3, ""))
                .number(5, 0);
        WireWriter spec =
                new WireWriter().message(1, port).text(3, "").flag(13, false).flag(20, false);
        WireWriter metadata = new WireWriter().text(1, "web").number(7, 0).message(8, new WireWriter());

        assertThat(Protobuf.decode(envelope(
                        "v1", "Service", new WireWriter().message(1, metadata).message(2, spec))))
                .isEqualTo(Json.parse("""
                        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"},
                         "spec": {"ports": [{"port": 80}], "allocateLoadBalancerNodePorts": false}}"""));
    }

    @Test
    void numbers_of_a_list_may_be_packed() {
        WireWriter context = new WireWriter().bytes(4, new byte[] {1, 2, (byte) 0x80, 1});
        WireWriter pod = new WireWriter().message(2, new WireWriter().message(14, context));

        assertThat(Json.at(Protobuf.decode(envelope("v1", "Pod", pod)), "spec", "securityContext"))
                .isEqualTo(Json.parse("{\"supplementalGroups\": [1, 2, 128]}"));
    }

    @Test
    void a_field_of_a_later_version_is_passed_over() {
        WireWriter metadata = new WireWriter()
                .number(900, 1)
                .text(901, "x")
                .fixedDouble(902, 1.5)
                .text(1, "web");

        assertThat(Protobuf.decode(envelope("v1", "Service", new WireWriter().message(1, metadata))))
                .isEqualTo(Json.parse("""
                        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}"""));
    }

    @Test
    void bad_bodies_are_refused_with_a_sentence() {
        refused(new byte[] {'k', '8'}, "the body does not begin like protobuf of Kubernetes");
        refused(envelope("v1", "Sandwich", new WireWriter()), "no kind \"Sandwich\" is registered for version \"v1\"");
        refused(
                envelope("v1", "Service", new WireWriter().number(2, 5)),
                "field 2 is written as VARINT, not as LENGTH");
        refused(
                envelope("v1", "Service", new WireWriter().bytes(2, new byte[] {0x0a, 0x05})),
                "a value of 5 bytes does not fit into its message");
        refused(
                envelope("v1", "Service", new WireWriter().bytes(2, new byte[] {0x18, (byte) 0xff})),
                "field 3 is written as VARINT, not as LENGTH");
        refused(
                envelope("v1", "Service", new WireWriter().message(1, new WireWriter().bytes(1, new byte[] {-1}))),
                "a text is not UTF-8");
    }

    @Test
    void a_small_body_cannot_ask_for_a_huge_tree() {
        byte[] empties = new byte[600_000];
        for (int i = 0; i < empties.length; i += 2) {
            empties[i] = 0x0a;
        }
        refused(envelope("v1", "Service", new WireWriter().bytes(2, empties)), "the body has more than 250000 values");
    }

    @Test
    void no_bytes_do_more_than_be_refused() {
        Random random = new Random(27);
        byte[][] seeds = bodies().map(ProtobufTest::hex).toArray(byte[][]::new);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] body = seeds[random.nextInt(seeds.length)].clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                body[4 + random.nextInt(body.length - 4)] = (byte) random.nextInt(256);
            }
            try {
                Protobuf.decode(body);
            } catch (ProtobufException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1_000, 19_999);
    }

    private static void refused(byte[] body, String sentence) {
        assertThatExceptionOfType(ProtobufException.class)
                .isThrownBy(() -> Protobuf.decode(body))
                .withMessage(sentence);
    }

    private static byte[] envelope(String apiVersion, String kind, WireWriter raw) {
        WireWriter message = new WireWriter()
                .message(1, new WireWriter().text(1, apiVersion).text(2, kind))
                .message(2, raw);
        return HexFormat.of().parseHex("6b387300" + HexFormat.of().formatHex(message.toBytes()));
    }

    private static byte[] hex(String name) {
        return HexFormat.of().parseHex(resource(name + ".hex").replace("\n", ""));
    }

    private static JsonNode json(String name) {
        return Json.parse(resource(name + ".json"));
    }

    private static String resource(String name) {
        try (InputStream stream = ProtobufTest.class.getResourceAsStream("protobuf/" + name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
