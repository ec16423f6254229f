package io.fairlead.sessions;

import io.fairlead.api.AgentDoor;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.FairPlaces;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.ChannelForm;
import io.fairlead.streams.CommandStreams;
import io.fairlead.streams.Duplex;
import io.fairlead.streams.ForwardStreams;
import io.fairlead.streams.HttpHead;
import io.fairlead.streams.SpdyConnection;
import io.fairlead.streams.WebSocketBytes;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the API server, and no other caller: a caller shows a certificate of the cluster's authority with the
/// one name that may come in. One connection is one request.
public final class SessionServer {
    private static final Logger LOG = LoggerFactory.getLogger(SessionServer.class);
    private static final int BACKLOG = 1_024;
    private static final int MOST_NEWCOMERS = 512;
    private static final int HANDSHAKE_MILLIS = 5_000;
    private static final int IDLE_MILLIS = 4 * 3600 * 1000; // as the kubelet has it for such connections
    private static final int MOST_PORTS = 100;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final FairPlaces.Limits PLACES = new FairPlaces.Limits(256, 64, 0, Duration.ZERO);
    private static final List<String> COMMANDS = ChannelForm.COMMANDS;
    private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";
    private static final List<String> FORWARDS = List.of(TUNNEL, "portforward.k8s.io", "v4.channel.k8s.io");

    private final Pods pods;
    private final String caller;
    private final NodeFiles files;
    private final FairPlaces places = new FairPlaces(PLACES);
    private final Newcomers newcomers = new Newcomers(MOST_NEWCOMERS, Duration.ofMillis(HANDSHAKE_MILLIS));

    /// `caller` is the name (CN) of the certificate that may come in; `logs` is the folder of the node's own logs.
    public SessionServer(Pods pods, String caller, Path logs) {
        this.pods = pods;
        this.caller = caller;
        this.files = new NodeFiles(logs);
    }

    /// Listens from now on, in tasks of `tasks`; the answer is the real port, if any was asked for.
    public int listen(IpPort bind, SSLContext tls, TaskGroup tasks) {
        try {
            // Plain at first: to accept is then no more than that, whatever a stranger sends or does not send.
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(bind.ip().toString(), bind.port()), BACKLOG);
            tasks.keep("session-newcomers", newcomers::run);
            tasks.keep("sessions", () -> accept(listener, tls.getSocketFactory(), tasks));
            return listener.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen on %s: %s".formatted(bind, e.getMessage()), e);
        }
    }

    private void accept(ServerSocket listener, SSLSocketFactory tls, TaskGroup tasks) throws InterruptedException {
        while (true) {
            try {
                Socket socket = listener.accept();
                Closeable newcomer = newcomers.welcome(socket);
                tasks.runAlone("session", () -> {
                    try (socket;
                            newcomer) {
                        welcome(socket, tls, newcomer);
                    }
                });
            } catch (IOException e) {
                if (listener.isClosed() || Thread.interrupted()) {
                    throw (InterruptedException) new InterruptedException("the listener is closed").initCause(e);
                }
                LOG.warn("event=connection-not-taken reason=\"{}\"", e.getMessage()); // too many files, say
                Thread.sleep(PAUSE);
            }
        }
    }

    private void welcome(Socket plain, SSLSocketFactory tls, Closeable newcomer) throws InterruptedException {
        try (SSLSocket socket = (SSLSocket) tls.createSocket(plain, null, false)) {
            socket.setNeedClientAuth(true);
            plain.setSoTimeout(HANDSHAKE_MILLIS);
            socket.startHandshake();
            String visitor = Callers.name(socket);
            Duplex wire = new Duplex(new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
            Optional<HttpHead> head = HttpHead.read(wire.in());
            newcomer.close();
            socket.setSoTimeout(IDLE_MILLIS);
            if (head.isPresent()) {
                serve(head.get(), wire, visitor);
            }
        } catch (IOException e) {
            LOG.debug("event=request-ended from={}", plain.getRemoteSocketAddress(), e);
        }
    }

    /// One user of the API server has only a part of the places: others come in beside it.
    private void serve(HttpHead head, Duplex wire, String visitor) throws IOException, InterruptedException {
        try (TaskGroup tasks = new TaskGroup("session")) {
            if (!visitor.equals(caller)) {
                throw new SessionException(403, "%s may not come in here: only the API server may".formatted(visitor));
            }
            SessionRequest request = SessionRequest.of(head, wire);
            Optional<FairPlaces.Place> place = places.take(head.header(AgentDoor.USER_HEADER));
            if (place.isEmpty()) {
                throw new SessionException(429, "this user has as many sessions on this node as one may have");
            }
            try (FairPlaces.Place _ = place.get()) {
                LOG.debug("event=request path={}", request.path());
                serve(request, tasks);
            }
        } catch (SessionException refused) {
            SessionRequest.refuse(wire, refused);
        }
    }

    private void serve(SessionRequest request, TaskGroup tasks) throws IOException, InterruptedException {
        switch (request.what()) {
            case "logs" -> new LogSession(container(request), request, tasks).run();
            case "node" -> files.answer(request);
            case "exec" -> exec(request, tasks);
            case "attach" -> attach(request, tasks);
            case "portforward" -> portForward(request, tasks);
            case "dial" -> dial(request);
            default -> throw SessionException.notFound("no such path");
        }
    }

    private Pods.Pod pod(SessionRequest request) {
        return pods.find(request.pod())
                .orElseThrow(
                        () -> SessionException.notFound("pod \"%s\" is not on this node".formatted(request.pod())));
    }

    private Pods.Container container(SessionRequest request) {
        Pods.Pod pod = pod(request);
        return pod.find(request.last())
                .orElseThrow(() -> SessionException.badRequest("container %s is not valid for pod %s"
                        .formatted(request.last(), pod.name().name())));
    }

    private Pods.Container running(SessionRequest request) {
        Pods.Container container = container(request);
        if (!container.running().getAsBoolean()) {
            throw SessionException.badRequest(
                    "container not found (\"%s\"): it does not run".formatted(container.name()));
        }
        return container;
    }

    private void exec(SessionRequest request, TaskGroup tasks) throws IOException, InterruptedException {
        Pods.Container container = running(request);
        List<String> command = request.all("command");
        if (command.isEmpty()) {
            throw SessionException.badRequest("you must specify at least 1 command for the container");
        }
        if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw SessionException.badRequest("command: no word of it may hold a NUL character");
        }
        Optional<CommandStreams> streams = streams(request, tasks);
        if (streams.isPresent()) {
            new CommandSession(container).run(command, request.flag("tty"), streams.get());
        }
    }

    private void attach(SessionRequest request, TaskGroup tasks) throws IOException, InterruptedException {
        Pods.Container container = running(request);
        Optional<CommandStreams> streams = streams(request, tasks);
        if (streams.isPresent()) {
            new AttachSession(container).run(streams.get());
        }
    }

    private static Optional<CommandStreams> streams(SessionRequest request, TaskGroup tasks)
            throws IOException, InterruptedException {
        CommandStreams.Wanted wanted = new CommandStreams.Wanted(
                request.flag("stdin"), request.flag("stdout"), request.flag("stderr"), request.flag("tty"));
        return switch (Upgrade.of(request, COMMANDS, tasks)) {
            case Upgrade.Spdy(var connection, var _) -> CommandStreams.over(connection, wanted);
            case Upgrade.Socket(var socket, var protocol) ->
                Optional.of(CommandStreams.over(socket, ChannelForm.of(protocol), wanted, tasks));
        };
    }

    private void portForward(SessionRequest request, TaskGroup tasks) throws IOException, InterruptedException {
        PortForward forward = new PortForward(pod(request));
        List<Integer> ports = request.all("ports").stream()
                .flatMap(list -> List.of(list.split(",")).stream())
                .map(PortForward::port)
                .toList();
        if (ports.size() > MOST_PORTS) {
            throw SessionException.badRequest("ports: at most %d at a time".formatted(MOST_PORTS));
        }
        ForwardStreams streams = switch (Upgrade.of(request, FORWARDS, tasks)) {
            case Upgrade.Spdy(var connection, var _) -> ForwardStreams.over(connection);
            case Upgrade.Socket(var socket, var protocol)
            when protocol.equals(TUNNEL) -> ForwardStreams.over(SpdyConnection.over(WebSocketBytes.of(socket), tasks));
            case Upgrade.Socket(var socket, var _) -> ForwardStreams.over(socket, ports, tasks);
        };
        forward.run(streams);
    }

    /// One plain connection to a port of a pod, for the API server's own use.
    private void dial(SessionRequest request) throws IOException {
        int port = PortForward.port(request.last());
        try (Socket socket = new PortForward(pod(request)).connectFromOutside(port)) {
            request.answer(HttpHead.of("HTTP/1.1 101 Switching Protocols")
                    .with("Connection", "Upgrade")
                    .with("Upgrade", "tcp"));
            PortForward.join(request.wire(), socket, Duration.ZERO); // the API server closes when its client is gone
        } catch (IOException e) {
            throw new SessionException(503, "port %d of pod %s: %s".formatted(port, request.pod(), e.getMessage()));
        }
    }
}
