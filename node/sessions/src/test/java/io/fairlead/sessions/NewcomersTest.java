package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which connections go when more come than there is room for.
final class NewcomersTest {
    private static final int MOST = 4;

    private final Newcomers newcomers = new Newcomers(MOST, Duration.ofMinutes(1));
    private final List<Closeable> open = new ArrayList<>();
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        for (Closeable one : open) {
            one.close();
        }
        listener.close();
    }

    /// The agent's side of a connection from an address of this machine.
    private Socket from(String address) throws IOException {
        open.add(new Socket(listener.getInetAddress(), listener.getLocalPort(), InetAddress.getByName(address), 0));
        Socket accepted = listener.accept();
        open.add(accepted);
        return accepted;
    }

    @Test
    void a_crowd_from_one_address_puts_out_none_from_another() throws IOException {
        Socket server = from("127.0.0.2");
        newcomers.welcome(server);
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 3 * MOST; i++) {
            Socket stranger = from("127.0.0.1");
            newcomers.welcome(stranger);
            crowd.add(stranger);
        }
        assertThat(server.isClosed()).isFalse();
        assertThat(newcomers.count()).isEqualTo(MOST);
        assertThat(crowd.stream().filter(Socket::isClosed)).hasSize(2 * MOST + 1);
        assertThat(crowd.getLast().isClosed()).isFalse();
    }

    @Test
    void one_that_has_said_what_it_wants_counts_no_more() throws IOException {
        for (int i = 0; i < 3 * MOST; i++) {
            Socket caller = from("127.0.0.1");
            Closeable newcomer = newcomers.welcome(caller);
            newcomer.close();
            newcomer.close(); // a second time changes nothing
            assertThat(caller.isClosed()).isFalse();
        }
        assertThat(newcomers.count()).isZero();
    }
}
