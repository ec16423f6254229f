package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// What a kubeconfig says of its cluster, tried on a server with TLS.
class KubeconfigTlsTest {
    private static final NamespacedName NODE = new NamespacedName("", "n");

    @TempDir
    private Path directory;

    private ApiClient client(String host, int port, String rest) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
            current-context: a
            contexts: [{name: a, context: {cluster: c}}]
            clusters: [{name: c, cluster: {server: "https://%s:%d", %s}}]
            """.formatted(host, port, rest));
        return new ApiClient(Kubeconfig.read(file));
    }

    private static HttpTestServer serving(SSLServerSocket socket) {
        return new HttpTestServer(socket, (_, reply) -> reply.json(200, "{}"));
    }

    private static void assertRefused(ApiClient client, String why) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> client.get(Kind.NODE, NODE))
                .matches(ApiException::isUnanswered)
                .withMessageContaining(why);
    }

    @Test
    void any_server_is_taken_where_the_file_says_so_and_the_log_warns() throws Exception {
        SSLServerSocket socket =
                TestCertificate.make(directory, "dns:elsewhere.example").listening();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Transport.class);
        logger.addAppender(log);
        try (var server = serving(socket);
                var wary = client("127.0.0.1", socket.getLocalPort(), "insecure-skip-tls-verify: false");
                var careless = client("127.0.0.1", socket.getLocalPort(), "insecure-skip-tls-verify: true")) {
            assertRefused(wary, "certification path");
            assertThat(careless.get(Kind.NODE, NODE)).isEmpty();
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("event=insecure server=https://127.0.0.1:%d reason=\"%s\""
                            .formatted(server.uri().getPort(), "insecure-skip-tls-verify: any server is trusted"));
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void the_server_is_asked_for_and_known_by_the_name_that_the_file_gives() throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "dns:api.example");
        SSLServerSocket socket = certificate.listening();
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher("api\\.example")));
        socket.setSSLParameters(parameters);
        String authority = "certificate-authority-data: " + certificate.certificateData();
        int port = socket.getLocalPort();
        try (var _ = serving(socket);
                var byAddress = client("127.0.0.1", port, authority + ", tls-server-name: api.example");
                var byName = client("localhost", port, authority + ", tls-server-name: api.example");
                var unnamed = client("127.0.0.1", port, authority)) {
            assertThat(byAddress.get(Kind.NODE, NODE)).isEmpty();
            assertThat(byName.get(Kind.NODE, NODE)).isEmpty();
            assertRefused(unnamed, "127.0.0.1");
        }
    }

    @Test
    void a_server_that_is_named_by_its_address_alone_is_refused_where_the_file_gives_another_name() throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "ip:127.0.0.1,dns:localhost");
        SSLServerSocket socket = certificate.listening();
        String authority = "certificate-authority-data: " + certificate.certificateData();
        int port = socket.getLocalPort();
        try (var _ = serving(socket);
                var byAddress = client("127.0.0.1", port, authority + ", tls-server-name: api.example");
                var byName = client("localhost", port, authority + ", tls-server-name: api.example");
                var toAddress = client("localhost", port, authority + ", tls-server-name: 127.0.0.1")) {
            assertRefused(byAddress, "api.example");
            assertRefused(byName, "api.example");
            assertThat(toAddress.get(Kind.NODE, NODE)).isEmpty();
        }
    }

    @Test
    void a_proxy_leads_to_the_server_and_sees_nothing_of_what_is_said() throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "dns:api.example");
        SSLServerSocket socket = certificate.listening();
        String authority = "certificate-authority-data: " + certificate.certificateData();
        try (var _ = serving(socket);
                var proxy = new Tunnel(socket.getLocalPort());
                // a name that only the proxy can resolve
                var client = client(
                        "api.example",
                        6443,
                        "%s, proxy-url: 'http://127.0.0.1:%d'".formatted(authority, proxy.port()))) {
            assertThat(client.get(Kind.NODE, NODE)).isEmpty();
            assertThat(proxy.asked).containsOnly("CONNECT api.example:6443 HTTP/1.1");
        }
    }

    @Test
    void a_socks5_proxy_leads_to_the_server_by_its_name() throws Exception {
        TestCertificate certificate = TestCertificate.make(directory, "dns:api.example");
        SSLServerSocket socket = certificate.listening();
        String authority = "certificate-authority-data: " + certificate.certificateData();
        try (var _ = serving(socket);
                var proxy = new Tunnel(socket.getLocalPort(), true);
                var client = client(
                        "api.example",
                        6443,
                        "%s, proxy-url: 'socks5://127.0.0.1:%d'".formatted(authority, proxy.port()))) {
            assertThat(client.get(Kind.NODE, NODE)).isEmpty();
            assertThat(proxy.asked).containsOnly("SOCKS api.example:6443");
        }
    }

    /// A proxy that leads every client to one port of this machine.
    private static final class Tunnel implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final TaskGroup tasks = new TaskGroup("tunnel");
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final int target;
        private final boolean socks;

        Tunnel(int target) throws IOException {
            this(target, false);
        }

        Tunnel(int target, boolean socks) throws IOException {
            this.target = target;
            this.socks = socks;
            tasks.runAlone("accept", this::accept);
        }

        int port() {
            return socket.getLocalPort();
        }

        private void accept() throws IOException {
            while (!socket.isClosed()) {
                Socket client = socket.accept();
                tasks.runAlone("client", () -> lead(client));
            }
        }

        private void lead(Socket client) throws IOException {
            try (client;
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                if (socks) {
                    asked.add("SOCKS " + greet(client));
                } else {
                    asked.add(head(client).lines().findFirst().orElse(""));
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }
                tasks.runAlone("back", () -> server.getInputStream().transferTo(client.getOutputStream()));
                client.getInputStream().transferTo(server.getOutputStream());
            }
        }

        /// RFC 1928, without a password, for a name.
        private static String greet(Socket client) throws IOException {
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertThat(in.readUnsignedByte()).as("version").isEqualTo(5);
            in.readNBytes(in.readUnsignedByte());
            client.getOutputStream().write(new byte[] {5, 0});
            assertThat(in.readNBytes(4)).as("connect to a name").containsExactly(5, 1, 0, 3);
            String name = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII);
            int port = in.readUnsignedShort();
            client.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 0});
            return name + ":" + port;
        }

        private static String head(Socket client) throws IOException {
            StringBuilder head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                head.append((char) client.getInputStream().read());
            }
            return head.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
            tasks.close();
        }
    }
}
