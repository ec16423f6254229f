package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How answers travel (K8).
@Timeout(60)
final class BodyTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @AutoClose
    private final TestServer server = TestServer.running();

    @BeforeEach
    void fill() throws Exception {
        server.post(MAPS, "{\"metadata\":{\"name\":\"large\"},\"data\":{\"k\":\"" + "x".repeat(200_000) + "\"}}");
    }

    @Test
    void large_bodies_are_compressed_for_clients_that_can_read_that() throws Exception {
        for (String path : new String[] {MAPS, MAPS + "/large"}) {
            var plain = server.raw("GET", path);
            var small = server.raw("GET", path, "Accept-Encoding", "gzip");

            assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(small.headers().firstValue("Content-Encoding")).hasValue("gzip");
            assertThat(small.body().length).isLessThan(plain.body().length / 10);
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(small.body()))) {
                assertThat(in.readAllBytes()).isEqualTo(plain.body());
            }
        }
        assertThat(server.raw("GET", "/version", "Accept-Encoding", "gzip")
                        .headers()
                        .firstValue("Content-Encoding"))
                .isEmpty();
    }

    @Test
    void a_list_from_kept_pieces_is_what_it_would_be_without() throws Exception {
        for (int i = 0; i < 60; i++) {
            String labels = "{\"odd\":\"%s\"}".formatted(i % 2 == 1);
            server.post(
                    MAPS,
                    "{\"metadata\":{\"name\":\"map-%02d\",\"labels\":%s},\"data\":{\"k\":\"%s\"}}"
                            .formatted(i, labels, ("y" + i).repeat(5_000)));
        }
        for (int round = 0; round < 5; round++) {
            for (String query : new String[] {"", "?limit=40", "?labelSelector=odd%3Dtrue"}) {
                byte[] packed = server.raw("GET", MAPS + query, "Accept-Encoding", "gzip")
                        .body();
                assertThat(firstMember(packed))
                        .isEqualTo(server.raw("GET", MAPS + query).body());
            }
            server.merge(MAPS + "/map-0" + round, "{\"data\":{\"new\":\"yes\"}}");
            server.delete(MAPS + "/map-4" + round);
        }
    }

    /// As curl reads: what comes behind the first member is no part of the answer.
    private static byte[] firstMember(byte[] packed) throws DataFormatException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] block = new byte[8192];
        Inflater inflater = new Inflater(true);
        inflater.setInput(packed, 10, packed.length - 10);
        while (!inflater.finished() && !inflater.needsInput()) {
            plain.write(block, 0, inflater.inflate(block));
        }
        assertThat(inflater.getRemaining()).as("the sum and the length").isEqualTo(8);
        inflater.end();
        return plain.toByteArray();
    }

    @Test
    void however_many_fields_are_unknown_the_warnings_fit_into_the_head_of_the_answer() throws Exception {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            fields.append("\"unknown").append(i).append("\":1,");
        }
        var many = server.post(MAPS, "{" + fields + "\"metadata\":{\"name\":\"many\"}}");
        var endless = server.post(MAPS, "{\"" + "y".repeat(40_000) + "\":1,\"metadata\":{\"name\":\"long\"}}");
        var odd = server.post(MAPS, "{\"a\\r\\nX-Odd: \\u0000\":1,\"metadata\":{\"name\":\"odd\"}}");

        assertThat(many.code()).isEqualTo(201);
        assertThat(many.warnings()).hasSizeBetween(50, 500);
        assertThat(endless.code()).isEqualTo(201);
        assertThat(endless.warnings()).singleElement().asString().hasSizeLessThan(1100);
        assertThat(odd.code()).isEqualTo(201);
        assertThat(odd.warnings()).singleElement().asString().contains("a??X-Odd: ?");
    }

    @Test
    void a_head_is_a_get_without_its_body_also_of_a_watch() throws Exception {
        for (String query : new String[] {"", "?watch=true"}) {
            var head = server.raw("HEAD", MAPS + query);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
        assertThat(server.raw("HEAD", MAPS + "/none").statusCode()).isEqualTo(404);
        assertThat(server.raw("OPTIONS", MAPS).statusCode()).isEqualTo(405);
    }

    @Test
    void a_form_that_we_cannot_give_is_refused_unless_another_is_named() throws Exception {
        assertThat(server.get(MAPS, "text/html").statusCode()).isEqualTo(406);
        String both = "application/vnd.kubernetes.protobuf,application/json";
        assertThat(Json.text(Json.parse(server.get(MAPS, both).body()), "kind")).isEqualTo("ConfigMapList");
    }
}
