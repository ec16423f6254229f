package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class HttpTest {
    private static InputStream wire(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String body(String answer) throws IOException {
        InputStream in = wire(answer);
        HttpHead head = HttpHead.read(in).orElseThrow();
        return new String(HttpBody.of(head, in).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void a_head_is_read_up_to_its_empty_line() throws IOException {
        InputStream in = wire("GET /exec HTTP/1.1\r\nHost: a\r\nX-Stream-Protocol-Version: v4\r\n"
                + "x-stream-protocol-version: v3, v2\r\n\r\nrest");

        HttpHead head = HttpHead.read(in).orElseThrow();

        assertThat(head.first()).isEqualTo("GET /exec HTTP/1.1");
        assertThat(head.header("host")).isEqualTo("a");
        assertThat(head.values("X-Stream-Protocol-Version")).containsExactly("v4", "v3", "v2");
        assertThat(in.readAllBytes()).asString().isEqualTo("rest");
    }

    @Test
    void what_is_written_can_be_read() throws IOException {
        HttpHead head = HttpHead.of("HTTP/1.1 404 Not Found").with("Content-Length", "0");

        assertThat(HttpHead.read(new ByteArrayInputStream(head.bytes()))).contains(head);
        assertThat(head.status()).isEqualTo(404);
    }

    @Test
    void a_body_ends_after_its_length_its_chunks_or_the_connection() throws IOException {
        assertThat(body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc")).isEqualTo("ab");
        assertThat(body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\nzzz"))
                .isEqualTo("abcd");
        assertThat(body("HTTP/1.1 200 OK\r\n\r\nabc")).isEqualTo("abc");
        assertThat(body("HTTP/1.1 204 No Content\r\n\r\nabc")).isEmpty();
    }

    @Test
    void a_body_that_is_cut_off_is_no_whole_body() {
        assertThatThrownBy(() -> body("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
                .hasMessage("the connection ended within the body");
        assertThatThrownBy(() -> body("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"))
                .hasMessage("the connection ended within the body");
    }

    @Test
    void headers_without_an_end_are_refused() {
        assertThatThrownBy(() -> HttpHead.read(wire("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(20_000))))
                .hasMessage("the headers are too long");
        assertThatThrownBy(() -> HttpHead.read(wire("x".repeat(100_000)))).hasMessage("the headers are too long");
    }
}
