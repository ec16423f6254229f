package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The frames are those of RFC 6455, section 5.7.
final class WebSocketTest {
    private static final String MASKED_HELLO = "8185" + "37fa213d" + "7f9f4d5158";

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private WebSocket receiving(String hex) {
        return new WebSocket(new Duplex(new ByteArrayInputStream(HexFormat.of().parseHex(hex)), sent));
    }

    private String sentHex() {
        return HexFormat.of().formatHex(sent.toByteArray());
    }

    @Test
    void the_key_is_answered_as_in_the_example_of_the_standard() {
        assertThat(WebSocket.acceptKey("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    @Test
    void a_masked_message_is_unmasked() throws IOException {
        assertThat(receiving(MASKED_HELLO).read().orElseThrow()).asString().isEqualTo("Hello");
    }

    @Test
    void pieces_of_a_message_are_put_together_around_a_ping() throws IOException {
        WebSocket socket = receiving("0103" + "48656c" + "8901" + "2a" + "8002" + "6c6f");

        assertThat(socket.read().orElseThrow()).asString().isEqualTo("Hello");
        assertThat(sentHex()).as("a pong").isEqualTo("8a012a");
    }

    @Test
    void a_close_is_answered_once() throws IOException {
        WebSocket socket = receiving("8802" + "03e8");

        assertThat(socket.read()).isEmpty();
        socket.close();

        assertThat(sentHex()).isEqualTo("880203e8");
    }

    @Test
    void long_messages_have_long_lengths() throws IOException {
        receiving("").write(new byte[300]);

        assertThat(sentHex()).startsWith("827e012c00");
    }

    @Test
    void a_message_that_is_long_comes_in_pieces_and_what_is_promised_takes_no_memory() throws IOException {
        WebSocket socket = receiving("827f" + "7fffffffffffffff" + "00".repeat(40_000));
        assertThat(socket.next().orElseThrow().bytes()).hasSize(16 * 1024);
        assertThat(socket.next().orElseThrow().first()).isFalse();
        assertThatThrownBy(socket::next).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> receiving("827f" + "8000000000000000").next()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> receiving("897f" + "0000000000100000").next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("125 bytes");
        assertThatThrownBy(() -> receiving("827f" + "0000000000200000" + "00".repeat(0x200000))
                        .read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1048576 bytes");
    }

    @Test
    void the_pieces_of_a_long_message_go_to_its_channel() throws IOException {
        String hex = "827f" + "0000000000010001" + "00" + "61".repeat(65_536) + "8203" + "04" + "7b7d";
        try (var tasks = new TaskGroup("test")) {
            ChannelSocket channels = ChannelSocket.over(receiving(hex), 5, List.of(0, 4), tasks);
            assertThat(channels.in(0).readAllBytes()).asString().isEqualTo("a".repeat(65_536));
            assertThat(channels.in(4).readAllBytes()).asString().isEqualTo("{}");
        }
    }

    @Test
    void channels_are_told_apart_and_end_one_by_one() throws IOException {
        WebSocket socket = receiving("8203" + "00" + "6869" + "8202" + "ff00" + "8203" + "04" + "7b7d");
        try (var tasks = new TaskGroup("test")) {
            ChannelSocket channels = ChannelSocket.over(socket, 5, List.of(0, 4), tasks);

            assertThat(channels.in(0).readAllBytes()).asString().isEqualTo("hi");
            assertThat(channels.in(4).readAllBytes()).asString().isEqualTo("{}");
        }
    }

    @Test
    void channels_of_texts_are_digits_and_base64() throws IOException {
        WebSocket socket = receiving("8105" + "30" + "61476b3d"); // 0, and "hi" in base64
        try (var tasks = new TaskGroup("test")) {
            ChannelForm form = ChannelForm.of("v4.base64.channel.k8s.io");
            ChannelSocket channels = ChannelSocket.over(socket, form, 5, List.of(0, 4), tasks);

            assertThat(channels.in(0).readAllBytes()).asString().isEqualTo("hi");
            channels.out(1).write("ok".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(sentHex()).isEqualTo("8105" + "31" + "6232733d"); // 1, and "ok"
    }

    @Test
    void before_version_four_only_a_failure_is_told_and_in_words() throws IOException {
        assertThat(ChannelForm.of("").tellsStatus()).isFalse();
        assertThat(ChannelForm.of("base64.channel.k8s.io")).isEqualTo(new ChannelForm(true, false));
        assertThat(ChannelForm.of("v5.channel.k8s.io")).isEqualTo(new ChannelForm(false, true));
        try (var tasks = new TaskGroup("test")) {
            CommandStreams.Wanted wanted = new CommandStreams.Wanted(false, true, false, false);
            CommandStreams good = CommandStreams.over(receiving(""), ChannelForm.of(""), wanted, tasks);
            good.finish("{\"status\":\"Success\"}".getBytes(StandardCharsets.UTF_8));
            assertThat(sentHex()).as("the first message, and the end").isEqualTo("820101" + "880203e8");
            sent.reset();
            CommandStreams bad = CommandStreams.over(receiving(""), ChannelForm.of(""), wanted, tasks);
            bad.finish("{\"status\":\"Failure\",\"message\":\"no\"}".getBytes(StandardCharsets.UTF_8));
            assertThat(sentHex()).contains("8203" + "03" + "6e6f");
        }
    }

    @Test
    void a_socket_can_carry_plain_bytes() throws IOException {
        Duplex bytes = WebSocketBytes.of(receiving(MASKED_HELLO + MASKED_HELLO));

        assertThat(new String(bytes.in().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("HelloHello");
    }
}
