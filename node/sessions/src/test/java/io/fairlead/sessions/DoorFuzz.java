package io.fairlead.sessions;

import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.api.AgentDoor;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// What Jazzer calls: bytes that the API server might pass on to the agent's door, over real TLS. The door must end the
/// connection soon after its client has, and no task of the agent may fail. The names of the methods are Jazzer's.
public final class DoorFuzz {
    private static final int PATIENCE_MILLIS = 10_000;

    private static @Nullable TaskGroup agent;
    private static @Nullable SSLContext server;
    private static @Nullable Path folder;
    private static int port;

    private DoorFuzz() {}

    public static void fuzzerInitialize() throws Exception {
        Path made = Files.createTempDirectory("fairlead-door");
        folder = made;
        Pki pki = Pki.open(made.resolve("pki"));
        Path log = Files.writeString(made.resolve("log"), "2026-11-16T12:00:00Z stdout F hello\n");
        Pods.Container container = new Pods.Container(
                "main",
                () -> false,
                (_, _) -> List.of("false"),
                new Pods.Logs(log, made.resolve("none")),
                Optional.empty());
        Pods.Pod pod = new Pods.Pod(
                new NamespacedName("default", "web"), "", List.of(Ip.parse("127.0.0.1")), List.of(container));
        Pods pods = name -> name.equals(pod.name()) ? Optional.of(pod) : Optional.empty();
        TaskGroup tasks = new TaskGroup("agent");
        port = new SessionServer(pods, AgentDoor.CALLER)
                .listen(IpPort.parse("127.0.0.1:0"), context(pki, "system:node:n1"), tasks);
        agent = tasks;
        server = context(pki, AgentDoor.CALLER);
    }

    public static void fuzzerTearDown() throws Exception {
        if (agent != null) {
            agent.close();
        }
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static SSLContext context(Pki pki, String name) throws Exception {
        var credential =
                pki.issueClient(new Subject(name, name.startsWith("system:node:") ? Set.of("system:nodes") : Set.of()));
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        Certificate[] chain = {credential.certificate()};
        own.setKeyEntry("me", credential.key(), new char[0], chain);
        own.setCertificateEntry("ca", pki.authority().certificate());
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(own);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (server == null || agent == null) {
            throw new IllegalStateException("it was not started");
        }
        try (SSLSocket socket =
                (SSLSocket) server.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(input);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the door keeps a connection whose client has ended it", e);
        } catch (IOException e) {
            // it ended the connection
        }
        if (!agent.faults().counts().isEmpty()) {
            throw new AssertionError(
                    "a task of the agent failed: " + agent.faults().counts());
        }
    }
}
