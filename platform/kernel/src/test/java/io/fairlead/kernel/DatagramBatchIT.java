package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.IpPort;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that send many datagrams at once get an answer to each, and no other's.
final class DatagramBatchIT {
    private static final int CLIENTS = 3;
    private static final int QUESTIONS = 40;

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, 20",
        "127.0.0.1, 127.0.0.1, 1200",
        "127.0.0.1, 127.0.0.1, 3000",
        "0.0.0.0, 127.0.0.7, 20",
        "::1, ::1, 20",
        "::, ::1, 1200"
    })
    void every_datagram_of_a_burst_is_answered_from_the_address_it_was_sent_to(String bound, String asked, int length)
            throws Exception {
        IpPort address = IpPort.parse((bound.contains(":") ? "[" + bound + "]" : bound) + ":15353");
        List<DatagramSocket> clients = new ArrayList<>();
        try (DatagramBatch batch = DatagramBatch.open(address, Duration.ofSeconds(1))) {
            for (int i = 0; i < CLIENTS; i++) {
                DatagramSocket client = new DatagramSocket();
                clients.add(client);
                client.setSoTimeout(10_000);
                // Hears from nowhere else.
                client.connect(new InetSocketAddress(InetAddress.getByName(asked), address.port()));
            }
            for (int question = 0; question < QUESTIONS; question++) {
                for (int client = 0; client < CLIENTS; client++) {
                    byte[] bytes = "%d/%d".formatted(client, question).getBytes(StandardCharsets.US_ASCII);
                    clients.get(client).send(new DatagramPacket(bytes, bytes.length));
                }
            }
            echo(batch, length);
            for (int client = 0; client < CLIENTS; client++) {
                assertThat(heard(clients.get(client), length))
                        .hasSize(QUESTIONS)
                        .allMatch(new Belongs(client)::test);
            }
        } finally {
            clients.forEach(DatagramSocket::close);
        }
    }

    private record Belongs(int client) {
        boolean test(String text) {
            return text.startsWith(client + "/");
        }
    }

    /// Answers each with its own words, padded: every fifth a little longer.
    private static void echo(DatagramBatch batch, int length) {
        byte[] packet = new byte[DatagramBatch.MAX_LENGTH];
        for (int done = 0; done < CLIENTS * QUESTIONS; ) {
            int count = batch.receive();
            assertThat(count).as("after %d".formatted(done)).isPositive();
            for (int place = 0; place < count; place++) {
                int size = batch.read(place, packet);
                byte[] answer = new byte[place % 5 == 0 ? length + 1 : length];
                System.arraycopy(packet, 0, answer, 0, size);
                batch.answer(place, answer, answer.length);
            }
            batch.send();
            done += count;
        }
    }

    private static Set<String> heard(DatagramSocket client, int length) throws Exception {
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < QUESTIONS; i++) {
            DatagramPacket packet = new DatagramPacket(new byte[DatagramBatch.MAX_LENGTH], DatagramBatch.MAX_LENGTH);
            client.receive(packet);
            assertThat(packet.getLength()).isBetween(length, length + 1);
            all.add(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII)
                    .strip()
                    .replace("\0", ""));
        }
        return all;
    }
}
