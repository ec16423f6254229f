package io.fairlead.sessions;

import io.fairlead.api.IpPort;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.CommandStreams;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.ForwardStreams;
import io.fairlead.streams.HttpHead;
import io.fairlead.streams.SpdyConnection;
import io.fairlead.streams.WebSocketBytes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the API server, and nobody else: a caller shows a certificate of the cluster's authority with the one name
/// that may come in. One connection is one visit.
public final class ReachServer {
    private static final Logger LOG = LoggerFactory.getLogger(ReachServer.class);
    private static final int MOST_VISITS = 256;
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final List<String> COMMANDS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
    private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";
    private static final List<String> FORWARDS = List.of(TUNNEL, "portforward.k8s.io", "v4.channel.k8s.io");

    private final Pods pods;
    private final Path terminal;
    private final String caller;
    private final Semaphore places = new Semaphore(MOST_VISITS);

    /// `caller` is the name (CN) of the certificate that may come in; `folder` takes the program that holds terminals.
    public ReachServer(Pods pods, Path folder, String caller) {
        this.pods = pods;
        this.terminal = Terminal.install(folder);
        this.caller = caller;
    }

    /// Listens from now on, in tasks of `tasks`; the answer is the real port, if any was asked for.
    public int listen(IpPort bind, SSLContext tls, TaskGroup tasks) {
        try {
            SSLServerSocket listener =
                    (SSLServerSocket) tls.getServerSocketFactory().createServerSocket();
            listener.setNeedClientAuth(true);
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(bind.ip().toString(), bind.port()));
            tasks.run("reach", () -> accept(listener, tasks));
            return listener.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen on %s: %s".formatted(bind, e.getMessage()), e);
        }
    }

    private void accept(SSLServerSocket listener, TaskGroup tasks) throws IOException, InterruptedException {
        try (listener) {
            while (true) {
                places.acquire();
                SSLSocket socket = (SSLSocket) listener.accept();
                tasks.run("visit", () -> {
                    try (socket) {
                        welcome(socket);
                    } finally {
                        places.release();
                    }
                });
            }
        }
    }

    private void welcome(SSLSocket socket) throws InterruptedException {
        try {
            socket.setSoTimeout(HANDSHAKE_MILLIS);
            socket.startHandshake();
            Duplex wire = new Duplex(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
            Optional<HttpHead> head = HttpHead.read(wire.in());
            socket.setSoTimeout(0);
            if (head.isPresent()) {
                serve(Visit.of(head.get(), wire), Callers.name(socket));
            }
        } catch (IOException e) {
            LOG.debug("visit ended from={}", socket.getRemoteSocketAddress(), e);
        }
    }

    private void serve(Visit visit, String visitor) throws IOException, InterruptedException {
        try (TaskGroup tasks = new TaskGroup("visit")) {
            if (!visitor.equals(caller)) {
                throw new ReachException(403, "%s may not come in here: only the API server may".formatted(visitor));
            }
            LOG.debug("visit what={} pod={}", visit.what(), visit.pod());
            serve(visit, tasks);
        } catch (ReachException refused) {
            visit.refuse(refused);
        }
    }

    private void serve(Visit visit, TaskGroup tasks) throws IOException, InterruptedException {
        switch (visit.what()) {
            case "logs" -> logs(visit, tasks);
            case "exec" -> exec(visit, tasks);
            case "attach" -> attach(visit, tasks);
            case "portforward" -> portForward(visit, tasks);
            case "dial" -> dial(visit);
            default -> throw ReachException.notFound("no such path");
        }
    }

    private Pods.Pod pod(Visit visit) {
        return pods.find(visit.pod())
                .orElseThrow(() -> ReachException.notFound("pod \"%s\" is not on this node".formatted(visit.pod())));
    }

    private Pods.Container container(Visit visit) {
        Pods.Pod pod = pod(visit);
        return pod.find(visit.last())
                .orElseThrow(() -> ReachException.badRequest("container %s is not valid for pod %s"
                        .formatted(visit.last(), pod.name().name())));
    }

    private Pods.Container running(Visit visit) {
        Pods.Container container = container(visit);
        if (container.process() == 0) {
            throw ReachException.badRequest(
                    "container not found (\"%s\"): it does not run".formatted(container.name()));
        }
        return container;
    }

    private void logs(Visit visit, TaskGroup tasks) throws IOException, InterruptedException {
        LogOptions options = LogOptions.of(visit, InstantSource.system());
        Pods.Container container = container(visit);
        Path file = options.previous()
                ? container.logs().before()
                : container.logs().now();
        if (!Files.exists(file)) {
            throw ReachException.badRequest(
                    options.previous()
                            ? "previous terminated container \"%s\" in pod \"%s\" not found"
                                    .formatted(container.name(), visit.pod().name())
                            : "container \"%s\" in pod \"%s\" is waiting to start"
                                    .formatted(container.name(), visit.pod().name()));
        }
        visit.answer(HttpHead.of("HTTP/1.1 200 OK")
                .with("Content-Type", "text/plain")
                .with("Connection", "close"));
        AtomicBoolean gone = new AtomicBoolean();
        tasks.run("client", () -> gone.set(visit.wire().in().read() < 0));
        new LogReader(file, options, visit.wire().out())
                .copy(() -> !gone.get() && container.running().getAsBoolean());
        visit.wire().out().flush();
    }

    private void exec(Visit visit, TaskGroup tasks) throws IOException, InterruptedException {
        Pods.Container container = running(visit);
        List<String> command = visit.all("command");
        if (command.isEmpty()) {
            throw ReachException.badRequest("you must specify at least 1 command for the container");
        }
        Optional<CommandStreams> streams = streams(visit, tasks);
        if (streams.isPresent()) {
            new CommandSession(terminal, container).run(command, visit.flag("tty"), streams.get());
        }
    }

    private void attach(Visit visit, TaskGroup tasks) throws IOException, InterruptedException {
        Pods.Container container = running(visit);
        Optional<CommandStreams> streams = streams(visit, tasks);
        if (streams.isPresent()) {
            new AttachSession(container).run(streams.get());
        }
    }

    private static Optional<CommandStreams> streams(Visit visit, TaskGroup tasks)
            throws IOException, InterruptedException {
        CommandStreams.Wanted wanted = new CommandStreams.Wanted(
                visit.flag("stdin"), visit.flag("stdout"), visit.flag("stderr"), visit.flag("tty"));
        return switch (Upgrade.of(visit, COMMANDS, tasks)) {
            case Upgrade.Spdy(var connection, var _) -> CommandStreams.over(connection, wanted);
            case Upgrade.Socket(var socket, var _) -> Optional.of(CommandStreams.over(socket, wanted, tasks));
        };
    }

    private void portForward(Visit visit, TaskGroup tasks) throws IOException, InterruptedException {
        PortForward forward = new PortForward(pod(visit));
        List<Integer> ports = visit.all("ports").stream()
                .flatMap(list -> List.of(list.split(",")).stream())
                .map(PortForward::port)
                .toList();
        ForwardStreams streams = switch (Upgrade.of(visit, FORWARDS, tasks)) {
            case Upgrade.Spdy(var connection, var _) -> ForwardStreams.over(connection);
            case Upgrade.Socket(var socket, var protocol)
            when protocol.equals(TUNNEL) -> ForwardStreams.over(SpdyConnection.over(WebSocketBytes.of(socket), tasks));
            case Upgrade.Socket(var socket, var _) -> ForwardStreams.over(socket, ports, tasks);
        };
        forward.run(streams);
    }

    /// One plain connection to a port of a pod, for the API server's own use.
    private void dial(Visit visit) throws IOException {
        int port = PortForward.port(visit.last());
        try (Socket socket = new PortForward(pod(visit)).connectFromOutside(port)) {
            visit.answer(HttpHead.of("HTTP/1.1 101 Switching Protocols")
                    .with("Connection", "Upgrade")
                    .with("Upgrade", "tcp"));
            PortForward.join(visit.wire(), socket);
        } catch (IOException e) {
            throw new ReachException(503, "port %d of pod %s: %s".formatted(port, visit.pod(), e.getMessage()));
        }
    }
}
