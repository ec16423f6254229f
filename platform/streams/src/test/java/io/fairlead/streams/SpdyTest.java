package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

final class SpdyTest {
    private final TaskGroup tasks = new TaskGroup("test");
    private final ByteQueue toServer = new ByteQueue();
    private final ByteQueue toClient = new ByteQueue();
    private final SpdyHeaders headers = new SpdyHeaders();
    private final SpdyWriter client = new SpdyWriter(toServer.output(), headers);
    private final SpdyReader answers = new SpdyReader(toClient.input(), headers);
    private final SpdyConnection server = SpdyConnection.over(new Duplex(toServer.input(), toClient.output()), tasks);

    @Test
    void the_dictionary_is_the_one_that_zlib_streams_of_spdy_name() {
        Adler32 sum = new Adler32();
        sum.update(SpdyDictionary.bytes());

        assertThat(sum.getValue()).isEqualTo(0xe3c6a7c2L);
    }

    @Test
    void a_stream_that_the_client_opens_is_accepted_and_has_its_headers() throws Exception {
        client.write(new SpdyFrame.Open(1, Map.of("streamType", "stdin", "port", "80"), false));

        SpdyStream stream = server.accept().orElseThrow();

        assertThat(stream.header("streamtype")).isEqualTo("stdin");
        assertThat(stream.header("port")).isEqualTo("80");
        assertThat(answers.read()).contains(new SpdyFrame.Reply(1, Map.of(), false));
    }

    @Test
    void bytes_go_both_ways_until_each_side_has_ended() throws Exception {
        client.write(new SpdyFrame.Open(1, Map.of(), false));
        SpdyStream stream = server.accept().orElseThrow();
        client.write(new SpdyFrame.Bytes(1, "to the server".getBytes(StandardCharsets.UTF_8), true));
        stream.out().write("to the client".getBytes(StandardCharsets.UTF_8));
        stream.out().close();

        assertThat(stream.in().readAllBytes()).asString().isEqualTo("to the server");
        assertThat(answers.read()).containsInstanceOf(SpdyFrame.Reply.class);
        assertThat(((SpdyFrame.Bytes) answers.read().orElseThrow()).bytes())
                .asString()
                .isEqualTo("to the client");
        assertThat(((SpdyFrame.Bytes) answers.read().orElseThrow()).last()).isTrue();
    }

    @Test
    void the_second_block_of_headers_leans_on_the_first() throws IOException {
        SpdyHeaders sender = new SpdyHeaders();
        SpdyHeaders receiver = new SpdyHeaders();
        for (int i = 0; i < 3; i++) {
            Map<String, String> sent = Map.of("streamtype", "data", "requestid", Integer.toString(i));
            assertThat(receiver.read(sender.write(sent))).isEqualTo(sent);
        }
    }

    @Test
    void a_ping_comes_back() throws IOException {
        client.write(new SpdyFrame.Ping(7));

        assertThat(answers.read()).contains(new SpdyFrame.Ping(7));
    }

    @Test
    void the_end_of_the_connection_is_the_end_of_its_streams() throws Exception {
        client.write(new SpdyFrame.Open(1, Map.of(), false));
        SpdyStream stream = server.accept().orElseThrow();
        toServer.end();

        assertThat(stream.in().read()).isEqualTo(-1);
        assertThat(server.accept()).isEmpty();
        assertThat(server.accept()).isEmpty();
    }

    @Test
    void a_frame_on_the_wire_looks_as_the_draft_draws_it() throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        SpdyWriter writer = new SpdyWriter(wire, new SpdyHeaders());
        writer.write(new SpdyFrame.Bytes(5, new byte[] {1, 2}, true));
        writer.write(new SpdyFrame.Ping(9));

        assertThat(HexFormat.of().formatHex(wire.toByteArray()))
                .isEqualTo("00000005" + "01000002" + "0102" + "80030006" + "00000004" + "00000009");
    }

    @Test
    void headers_without_an_end_are_refused() {
        byte[] frame = HexFormat.of().parseHex("80030001" + "00ffffff");
        SpdyReader reader = new SpdyReader(new ByteArrayInputStream(frame), new SpdyHeaders());

        assertThatThrownBy(reader::read).isInstanceOf(IOException.class).hasMessageContaining("16777215 bytes");
    }

    @Test
    void a_stream_that_is_open_cannot_be_opened_again() throws Exception {
        client.write(new SpdyFrame.Open(1, Map.of(), false));
        client.write(new SpdyFrame.Open(1, Map.of(), false));
        assertThat(answers.read()).contains(new SpdyFrame.Reply(1, Map.of(), false));
        assertThat(answers.read().orElseThrow()).isInstanceOf(SpdyFrame.Reset.class);
    }

    @Test
    void a_client_that_opens_streams_and_resets_them_again_and_again_is_refused() throws IOException {
        tasks.run("client", () -> {
            for (int i = 1; i < 2_000; i += 2) {
                client.write(new SpdyFrame.Open(i, Map.of(), false));
                client.write(new SpdyFrame.Reset(i, 5));
            }
        });
        int accepted = 0;
        for (SpdyFrame next = answers.read().orElseThrow();
                next instanceof SpdyFrame.Reply;
                next = answers.read().orElseThrow()) {
            accepted++;
            assertThat(accepted).isLessThan(1_000);
        }
        assertThat(accepted).isEqualTo(256);
    }

    @Test
    void a_large_frame_is_handed_on_in_pieces() throws Exception {
        byte[] large = new byte[1_000_000];
        new Random(1).nextBytes(large);
        client.write(new SpdyFrame.Open(1, Map.of(), false));
        SpdyStream stream = server.accept().orElseThrow();
        tasks.run("send", () -> client.write(new SpdyFrame.Bytes(1, large, true)));
        assertThat(stream.in().readAllBytes()).isEqualTo(large);

        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        new SpdyWriter(wire, new SpdyHeaders()).write(new SpdyFrame.Bytes(1, large, true));
        SpdyReader reader = new SpdyReader(new ByteArrayInputStream(wire.toByteArray()), new SpdyHeaders());
        assertThat(((SpdyFrame.Bytes) reader.read().orElseThrow()).bytes()).hasSizeLessThan(32_768);
    }

    @Test
    void a_connection_that_was_carried_makes_room_for_another() throws Exception {
        ForwardStreams forwards = ForwardStreams.over(server);
        for (int i = 0; i < 600; i++) {
            client.write(new SpdyFrame.Open(4 * i + 1, Map.of("streamtype", "error", "requestid", "" + i), true));
            client.write(new SpdyFrame.Open(
                    4 * i + 3, Map.of("streamtype", "data", "requestid", "" + i, "port", "80"), true));
            ForwardStreams.Connection connection = forwards.next().orElseThrow();
            connection.bytes().out().close();
            connection.error().close();
            for (int answer = 0; answer < 4; answer++) {
                assertThat(answers.read())
                        .hasValueSatisfying(frame -> assertThat(frame).isNotInstanceOf(SpdyFrame.Reset.class));
            }
        }
    }
}
