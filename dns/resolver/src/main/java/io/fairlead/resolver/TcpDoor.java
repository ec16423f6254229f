package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.runtime.FairPlaces;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Reply;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Wire;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// Answers over TCP: many questions a connection, each behind its length.
final class TcpDoor {
    /// One client has only a part of them, and those that come beyond are closed: others come in beside it.
    private static final FairPlaces.Limits CONNECTIONS = new FairPlaces.Limits(512, 64, 0, Duration.ZERO);

    private static final int IDLE_MILLIS = 10_000;
    private static final int ACCEPT_MILLIS = 200;
    private static final int BACKLOG = 256;

    private final ServerSocket door;
    private final Setup.Current current;
    private final Supplier<Responder> responders;
    private final QueryLog log;
    private final FairPlaces places = new FairPlaces(CONNECTIONS);

    TcpDoor(IpPort address, Setup.Current current, Supplier<Responder> responders, QueryLog log) {
        this.current = current;
        this.responders = responders;
        this.log = log;
        try {
            this.door = new ServerSocket();
            door.setReuseAddress(true);
            door.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            door.setSoTimeout(ACCEPT_MILLIS); // so that the end of the server is seen
            door.bind(
                    new InetSocketAddress(InetAddress.getByAddress(address.ip().bytes()), address.port()), BACKLOG);
        } catch (IOException e) {
            throw new DnsException("cannot listen on %s/tcp: %s".formatted(address, e.getMessage()), e);
        }
    }

    /// Takes connections until it is interrupted; after a failure it may be called again.
    void run(TaskGroup tasks) throws InterruptedException, IOException {
        try {
            takeAll(tasks);
        } catch (InterruptedException e) {
            door.close();
            throw e;
        }
    }

    private void takeAll(TaskGroup tasks) throws InterruptedException, IOException {
        while (!Thread.interrupted()) {
            try {
                take(door.accept(), tasks);
            } catch (SocketTimeoutException _) {
                // None came; look whether the server ends.
            } catch (IOException e) {
                if (door.isClosed()) {
                    throw e;
                }
                Thread.sleep(ACCEPT_MILLIS); // too many open files, say: that passes
            }
        }
        throw new InterruptedException();
    }

    private void take(Socket socket, TaskGroup tasks) throws IOException, InterruptedException {
        Optional<FairPlaces.Place> place = places.take(socket.getInetAddress().getHostAddress());
        if (place.isEmpty()) {
            socket.close();
            return;
        }
        tasks.runAlone("connection", () -> {
            try (FairPlaces.Place _ = place.get();
                    socket) {
                serve(socket);
            } catch (IOException _) {
                // The client is gone, or silent for too long.
            }
        });
    }

    private void serve(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        IpPort client = new IpPort(Ip.of(socket.getInetAddress().getAddress()), socket.getPort());
        Responder responder = responders.get();
        byte[] framed = new byte[Reply.MAX_LENGTH + 2];
        while (true) {
            byte[] question = next(socket, in);
            long taken = System.nanoTime();
            int size = responder.answer(question, question.length, Reply.MAX_LENGTH);
            if (size == Responder.LATER) {
                size = later(responder, question, client.ip());
            }
            if (size == Responder.SILENCE) {
                return;
            }
            responder.counters().took(responder.part(), System.nanoTime() - taken, 1);
            if (log.isOn()) {
                log.write(client, responder.query(), responder.bytes());
            }
            Wire.putShort(framed, 0, size);
            System.arraycopy(responder.bytes(), 0, framed, 2, size);
            out.write(framed, 0, size + 2);
        }
    }

    private int later(Responder responder, byte[] question, Ip client) {
        return current.now().slow().allow(client)
                ? responder.resolve(question, question.length, Reply.MAX_LENGTH, client)
                : responder.refuse(ResponseCode.REFUSED);
    }

    /// A question that has begun has so long for all its bytes, as the first has to come.
    private static byte[] next(Socket socket, DataInputStream in) throws IOException {
        socket.setSoTimeout(IDLE_MILLIS);
        int length = in.readUnsignedShort();
        if (length < Wire.HEADER) {
            throw new EOFException("a question without a header");
        }
        byte[] question = new byte[length];
        long end = System.nanoTime() + Duration.ofMillis(IDLE_MILLIS).toNanos();
        for (int at = 0; at < length; ) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException("a question that takes too long");
            }
            socket.setSoTimeout((int) left);
            int count = in.read(question, at, length - at);
            if (count < 0) {
                throw new EOFException("half a question");
            }
            at += count;
        }
        return question;
    }
}
