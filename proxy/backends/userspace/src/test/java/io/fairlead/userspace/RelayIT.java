package io.fairlead.userspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.StreamSockets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Connections through the relay, over loopback: a listener that no rule leads to is its own destination.
final class RelayIT {
    private static final RelayLimits LIMITS = RelayLimits.ofNode(2).withDrain(Duration.ZERO);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final List<AutoCloseable> made = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by the first line of each test
    private RelayServer relay;

    @SuppressWarnings("NullAway.Init")
    private IpPort front;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : made.reversed()) {
            one.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void what_is_sent_arrives_whole_and_so_does_the_answer(Family family) throws Exception {
        relay(LIMITS, family, first(echo(family)));
        byte[] sent = random(20_000_000);
        try (Socket client = connect()) {
            Thread sender = Thread.ofVirtual().start(() -> send(client, sent));
            byte[] received = client.getInputStream().readAllBytes();
            sender.join();
            assertThat(received).isEqualTo(sent);
        }
        await().until(() -> relay.open() == 0);
    }

    @Test
    void small_messages_go_to_and_fro() throws Exception {
        relay(LIMITS, Family.IPV4, first(echo(Family.IPV4)));
        try (Socket client = connect()) {
            for (int i = 0; i < 1000; i++) {
                byte[] message = random(1 + i % 300);
                client.getOutputStream().write(message);
                assertThat(client.getInputStream().readNBytes(message.length)).isEqualTo(message);
            }
        }
    }

    @Test
    void a_client_that_sends_no_more_still_gets_its_answer() throws Exception {
        ServerSocket server = listen(Family.IPV4);
        relay(LIMITS, Family.IPV4, first(at(server)));
        try (Socket client = connect();
                Socket pod = server.accept()) {
            client.getOutputStream().write("question".getBytes(UTF_8));
            client.shutdownOutput();
            assertThat(new String(pod.getInputStream().readAllBytes(), UTF_8)).isEqualTo("question");
            byte[] answer = random(3_000_000);
            Thread sender = Thread.ofVirtual().start(() -> send(pod, answer));
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(answer);
            sender.join();
        }
        await().until(() -> relay.open() == 0);
    }

    @Test
    void a_slow_reader_holds_the_sender_back_and_costs_one_pipe() throws Exception {
        ServerSocket server = listen(Family.IPV4);
        relay(LIMITS, Family.IPV4, first(at(server)));
        AtomicLong sent = new AtomicLong();
        try (Socket client = connect();
                Socket pod = server.accept()) {
            long before = descriptors();
            Thread sender = Thread.ofPlatform().start(() -> sendForever(pod, sent));
            awaitStandstill(sent);
            assertThat(sent.get()).as("sockets and a pipe hold this much").isLessThan(40_000_000);
            assertThat(descriptors() - before).as("two ends of a pipe").isLessThanOrEqualTo(2);

            long stopped = sent.get();
            client.getInputStream().readNBytes(20_000_000);
            await().until(() -> sent.get() > stopped);
            closeQuietly(client);
            sender.join();
        }
    }

    @Test
    void lanes_wait_for_their_turn_where_pipes_are_few() throws Exception {
        relay(LIMITS.withPipes(2), Family.IPV4, first(echo(Family.IPV4)));
        byte[] message = random(2_000_000);
        List<Thread> clients = new ArrayList<>();
        List<byte[]> answers = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 12; i++) {
            clients.add(Thread.ofPlatform().start(() -> {
                try (Socket client = connect()) {
                    Thread sender = Thread.ofPlatform().start(() -> send(client, message));
                    answers.add(client.getInputStream().readAllBytes());
                    sender.join();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (Thread client : clients) {
            assertThat(client.join(LONG)).isTrue();
        }
        assertThat(answers).hasSize(12).allSatisfy(answer -> assertThat(answer).isEqualTo(message));
    }

    @Test
    void a_target_that_refuses_is_passed_over() throws Exception {
        ServerSocket gone = listen(Family.IPV4);
        IpPort refuses = at(gone);
        gone.close();
        relay(LIMITS, Family.IPV4, new Fixed(List.of(refuses, echo(Family.IPV4))));
        for (int i = 0; i < 20; i++) {
            assertEcho();
        }
    }

    @Test
    void a_target_that_does_not_answer_is_passed_over() throws Exception {
        relay(LIMITS, Family.IPV4, new Fixed(List.of(silent(), echo(Family.IPV4))));
        long start = System.nanoTime();
        assertEcho();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(240), Duration.ofSeconds(2));
    }

    @Test
    void a_client_is_reset_where_every_target_refuses() throws Exception {
        ServerSocket gone = listen(Family.IPV4);
        IpPort refuses = at(gone);
        gone.close();
        relay(LIMITS, Family.IPV4, first(refuses));
        try (Socket client = connect()) {
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void a_reset_is_passed_on() throws Exception {
        ServerSocket server = listen(Family.IPV4);
        relay(LIMITS, Family.IPV4, first(at(server)));
        try (Socket client = connect()) {
            client.getOutputStream().write('x');
            try (Socket pod = server.accept()) {
                assertThat(pod.getInputStream().read()).isEqualTo('x');
                pod.setSoLinger(true, 0);
            }
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        await().until(() -> relay.open() == 0);
    }

    @Test
    void connections_go_on_while_the_relay_drains_and_then_it_ends() throws Exception {
        relay(LIMITS, Family.IPV4, first(echo(Family.IPV4)));
        Thread drain;
        try (Socket client = connect()) {
            exchange(client);
            drain = Thread.ofPlatform().start(() -> {
                try {
                    relay.drain(LONG);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int i = 0; i < 50; i++) {
                exchange(client);
            }
            assertThat(drain.isAlive()).isTrue();
        }
        assertThat(drain.join(Duration.ofSeconds(5)))
                .as("it waits for nothing else")
                .isTrue();
    }

    @Test
    void what_is_left_after_the_deadline_is_reset() throws Exception {
        relay(LIMITS, Family.IPV4, first(echo(Family.IPV4)));
        try (Socket client = connect()) {
            exchange(client);
            relay.drain(Duration.ofMillis(200));
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void connections_beyond_the_limit_wait_until_another_ends() throws Exception {
        relay(LIMITS.withConnections(4), Family.IPV4, first(echo(Family.IPV4)));
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(connect());
        }
        await().until(() -> relay.open() == 4);
        clients.subList(0, 4).forEach(RelayIT::closeQuietly);
        for (Socket client : clients.subList(4, 8)) {
            exchange(client);
            client.close();
        }
    }

    @Test
    void a_target_learns_who_the_client_is() throws Exception {
        ServerSocket server = listen(Family.IPV4);
        relay(LIMITS, Family.IPV4, first(at(server)), Preamble.PROXY_V2);
        try (Socket client = connect();
                Socket pod = server.accept()) {
            client.getOutputStream().write('x');
            byte[] header = pod.getInputStream().readNBytes(28);
            assertThat(java.util.Arrays.copyOf(header, 14))
                    .containsExactly(13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10, 0x21, 0x11);
            assertThat(Ip.of(java.util.Arrays.copyOfRange(header, 16, 20))).hasToString("127.0.0.1");
            assertThat(((header[24] & 0xff) << 8) + (header[25] & 0xff)).isEqualTo(client.getLocalPort());
            assertThat(pod.getInputStream().read()).isEqualTo('x');
        }
    }

    /// The targets in this order.
    private record Fixed(List<IpPort> targets) implements Balancer {
        @Override
        public Optional<IpPort> choose(Ip client, Collection<IpPort> tried, long nanos) {
            return targets.stream().filter(target -> !tried.contains(target)).findFirst();
        }
    }

    private static Balancer first(IpPort target) {
        return new Fixed(List.of(target));
    }

    private void relay(RelayLimits limits, Family family, Balancer balancer) {
        relay(limits, family, balancer, Preamble.NONE);
    }

    private void relay(RelayLimits limits, Family family, Balancer balancer, Preamble preamble) {
        try (StreamSockets sockets = new StreamSockets()) {
            Ip loopback = Ip.parse(family == Family.IPV4 ? "127.0.0.1" : "::1");
            int listener = sockets.listen(new IpPort(loopback, 0), 128);
            front = sockets.local(listener);
            Routes routes = (destination, _) -> Optional.of(balancer).filter(_ -> destination.equals(front));
            Sockets all = Sockets.of(List.of(listener));
            relay = RelayServer.start(all, routes, preamble, limits);
            made.add(relay);
        }
    }

    private IpPort echo(Family family) throws IOException {
        ServerSocket server = listen(family);
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket one = server.accept();
                    Thread.ofVirtual().start(() -> echo(one));
                } catch (IOException _) {
                    return; // closed
                }
            }
        });
        return at(server);
    }

    private static void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] some = new byte[32_768];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                out.write(some, 0, count);
            }
        } catch (IOException _) {
            // the client is gone
        }
    }

    private ServerSocket listen(Family family) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, loopback(family));
        made.add(server);
        return server;
    }

    private static InetAddress loopback(Family family) throws IOException {
        return InetAddress.getByAddress(
                Ip.parse(family == Family.IPV4 ? "127.0.0.1" : "::1").bytes());
    }

    /// Its backlog is full: the kernel drops what else knocks.
    private IpPort silent() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, loopback(Family.IPV4));
        made.add(server);
        for (int i = 0; i < 2; i++) {
            made.add(new Socket(server.getInetAddress(), server.getLocalPort()));
        }
        return at(server);
    }

    private static IpPort at(ServerSocket server) {
        return new IpPort(Ip.of(server.getInetAddress().getAddress()), server.getLocalPort());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) LONG.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getByAddress(front.ip().bytes()), front.port()));
        return socket;
    }

    private void assertEcho() throws IOException {
        try (Socket client = connect()) {
            exchange(client);
        }
    }

    private static void exchange(Socket client) throws IOException {
        client.getOutputStream().write("hello".getBytes(UTF_8));
        assertThat(new String(client.getInputStream().readNBytes(5), UTF_8)).isEqualTo("hello");
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendForever(Socket socket, AtomicLong sent) {
        byte[] some = new byte[65_536];
        try {
            while (true) {
                socket.getOutputStream().write(some);
                sent.addAndGet(some.length);
            }
        } catch (IOException _) {
            // the reader is gone
        }
    }

    private static void awaitStandstill(AtomicLong number) {
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(400)).until(() -> last.getAndSet(number.get()) == number.get());
    }

    private static long descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
