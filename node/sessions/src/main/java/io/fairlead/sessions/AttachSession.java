package io.fairlead.sessions;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.CommandStreams;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/// `attach`: the streams of the container's own program. Where no keeper holds them, because the pod asks for neither
/// stdin nor a terminal, the client sees what the program prints from now on.
final class AttachSession {
    private final Pods.Container container;

    AttachSession(Pods.Container container) {
        this.container = container;
    }

    /// Until the program has ended or the client has left.
    void run(CommandStreams streams) throws IOException, InterruptedException {
        if (container.terminal().isPresent()) {
            attach(container.terminal().get(), streams);
        } else {
            follow(streams);
        }
        streams.finish(Outcomes.exit(0));
    }

    private void follow(CommandStreams streams) throws IOException, InterruptedException {
        AtomicBoolean gone = new AtomicBoolean();
        try (TaskGroup tasks = new TaskGroup("attach")) {
            tasks.run("client", () -> {
                streams.client().awaitEnd();
                gone.set(true);
            });
            LogOptions fromNow = new LogOptions(true, false, false, 0, -1, Instant.MIN);
            new LogReader(container.logs().now(), fromNow, streams.stdout())
                    .copy(() -> !gone.get() && container.running().getAsBoolean());
        }
    }

    private static void attach(Path socket, CommandStreams streams) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                TaskGroup tasks = new TaskGroup("attach")) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            Terminal.Frames frames = new Terminal.Frames(Channels.newOutputStream(channel));
            Input input = new Input(streams.stdin(), streams.sizes(), frames);
            input.start(tasks);
            tasks.run("client", () -> {
                streams.client().awaitEnd();
                channel.shutdownInput(); // ends the copy below
            });
            Terminal.copyOutput(Channels.newInputStream(channel), streams.stdout(), streams.stderr());
        }
    }
}
