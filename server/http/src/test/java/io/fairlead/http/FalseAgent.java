package io.fairlead.http;

import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.streams.HttpHead;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// An agent on loopback with the certificate of its node, which takes one call and answers with `answer` or with
/// silence.
final class FalseAgent implements AutoCloseable {
    private final SSLServerSocket door;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<Integer> left = new CompletableFuture<>();

    FalseAgent(Pki pki, String node, String answer) throws IOException {
        door = (SSLServerSocket)
                GuardedServer.context(pki.authority().certificate(), Optional.of(pki.issueClient(Subject.node(node))))
                        .getServerSocketFactory()
                        .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> take(answer));
    }

    private void take(String answer) {
        try (SSLSocket call = (SSLSocket) door.accept()) {
            InputStream in = call.getInputStream();
            HttpHead.read(in);
            call.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            asked.countDown();
            while (in.read() >= 0) {
                // what the server says after the head
            }
            left.complete(0);
        } catch (IOException e) {
            left.complete(1); // cut without a last word: it has left as well
        }
    }

    int port() {
        return door.getLocalPort();
    }

    /// Counts down when the server has asked.
    CountDownLatch asked() {
        return asked;
    }

    /// Done when the server's connection to this agent has ended.
    CompletableFuture<Integer> left() {
        return left;
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
