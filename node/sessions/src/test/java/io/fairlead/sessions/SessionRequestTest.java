package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.HttpHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a client may ask of the agent, and what it may not.
final class SessionRequestTest {
    private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

    private final ByteArrayOutputStream answered = new ByteArrayOutputStream();

    private SessionRequest request(String target, String... headers) {
        HttpHead head = HttpHead.of("GET %s HTTP/1.1".formatted(target));
        for (int i = 0; i < headers.length; i += 2) {
            head = head.with(headers[i], headers[i + 1]);
        }
        return SessionRequest.of(head, new Duplex(InputStream.nullInputStream(), answered));
    }

    @Test
    void a_path_names_what_is_asked_the_pod_and_the_container() {
        SessionRequest request = request("/exec/default/web-0/main?command=sh&command=-c&command=a%20b&tty=1&stdin=no");
        assertThat(request.what()).isEqualTo("exec");
        assertThat(request.pod()).isEqualTo(new NamespacedName("default", "web-0"));
        assertThat(request.last()).isEqualTo("main");
        assertThat(request.all("command")).containsExactly("sh", "-c", "a b");
        assertThat(request.flag("tty")).isTrue();
        assertThat(request.flag("stdin")).isFalse();
    }

    @Test
    void a_path_that_is_too_short_is_not_found() {
        assertRefused(404, () -> request("/exec/default").pod());
        assertRefused(404, () -> request("/exec/default/web-0/").last());
    }

    @Test
    void a_line_that_is_no_request_is_refused() {
        assertRefused(400, () -> request("exec/default/web-0/main"));
        assertRefused(400, () -> request("/exec/a b/web-0/main"));
        assertRefused(400, () -> request("/exec/%zz/web-0/main"));
    }

    @Test
    void the_lines_of_a_log_are_chosen_by_number_and_time() {
        InstantSource clock = InstantSource.fixed(NOW);
        LogOptions options = LogOptions.of(request("/logs/a/b/c?tailLines=5&sinceSeconds=60&timestamps=true"), clock);
        assertThat(options.tailLines()).isEqualTo(5);
        assertThat(options.limitBytes()).isEqualTo(-1);
        assertThat(options.since()).isEqualTo(NOW.minusSeconds(60));
        assertThat(options.wants(LogLine.parse("2026-11-16T11:58:59Z stdout F old")))
                .isFalse();
        assertThat(options.wants(LogLine.parse("2026-11-16T11:59:00Z stdout F new")))
                .isTrue();
        assertThat(options.wants(LogLine.parse("a line of another form"))).isTrue();
    }

    @Test
    void a_time_further_away_than_clocks_go_means_the_whole_log() {
        InstantSource clock = InstantSource.fixed(NOW);
        assertThat(LogOptions.of(request("/logs/a/b/c?sinceSeconds=999999999999999999"), clock)
                        .since())
                .isEqualTo(Instant.MIN);
    }

    @Test
    void a_limit_that_is_no_number_is_refused_with_its_name() {
        InstantSource clock = InstantSource.fixed(NOW);
        assertThatExceptionOfType(SessionException.class)
                .isThrownBy(() -> LogOptions.of(request("/logs/a/b/c?tailLines=-1"), clock))
                .satisfies(refused -> assertThat(refused.sentence()).contains("tailLines", "-1"));
        assertThatExceptionOfType(SessionException.class)
                .isThrownBy(() -> LogOptions.of(request("/logs/a/b/c?sinceTime=yesterday"), clock))
                .satisfies(refused -> assertThat(refused.sentence()).contains("sinceTime", "yesterday"));
    }

    @Test
    void a_refusal_is_an_answer_with_its_length() throws IOException {
        request("/logs/a/b/c").refuse(SessionException.notFound("no such pod"));
        assertThat(answered.toString(StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 404 ")
                .contains("Content-Length: 11")
                .endsWith("\r\n\r\nno such pod");
    }

    @Test
    void client_and_agent_speak_the_first_protocol_that_both_know() throws IOException {
        List<String> offered = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
        try (TaskGroup tasks = new TaskGroup("test")) {
            SessionRequest both = request(
                    "/exec/a/b/c",
                    "Upgrade",
                    "websocket",
                    "Sec-WebSocket-Key",
                    "dGhlIHNhbXBsZSBub25jZQ==",
                    "Sec-WebSocket-Protocol",
                    "v4.channel.k8s.io");
            assertThat(Upgrade.of(both, offered, tasks))
                    .isInstanceOfSatisfying(
                            Upgrade.Socket.class,
                            socket -> assertThat(socket.protocol()).isEqualTo("v4.channel.k8s.io"));
            assertThat(answered.toString(StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 101 ")
                    .contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            SessionRequest neither =
                    request("/exec/a/b/c", "Upgrade", "websocket", "Sec-WebSocket-Protocol", "v1.channel.k8s.io");
            assertRefused(403, () -> Upgrade.of(neither, offered, tasks));
            assertRefused(400, () -> Upgrade.of(request("/exec/a/b/c"), offered, tasks));
        }
    }

    @Test
    void the_end_of_a_command_is_a_status_that_kubectl_reads() {
        assertThat(new String(Outcomes.exit(0), StandardCharsets.UTF_8)).contains("\"status\":\"Success\"");
        assertThat(new String(Outcomes.exit(3), StandardCharsets.UTF_8))
                .contains("\"reason\":\"NonZeroExitCode\"", "\"reason\":\"ExitCode\",\"message\":\"3\"");
    }

    private static void assertRefused(int status, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(SessionException.class)
                .isThrownBy(call)
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(status));
    }
}
