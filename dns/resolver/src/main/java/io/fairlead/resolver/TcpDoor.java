package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
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
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Answers over TCP: many questions a connection, each behind its length.
final class TcpDoor {
    private static final int MAX_CONNECTIONS = 512;
    private static final int IDLE_MILLIS = 10_000;
    private static final int ACCEPT_MILLIS = 200;
    private static final int BACKLOG = 256;

    private final ServerSocket door;
    private final Setup.Current current;
    private final Supplier<Responder> responders;
    private final QueryLog log;
    private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);

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

    void run(TaskGroup tasks) throws InterruptedException, IOException {
        try (door) {
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
    }

    private void take(Socket socket, TaskGroup tasks) throws IOException {
        if (!permits.tryAcquire()) {
            socket.close();
            return;
        }
        tasks.runAlone("connection", () -> {
            try (socket) {
                serve(socket);
            } catch (IOException _) {
                // The client is gone, or silent for too long.
            } finally {
                permits.release();
            }
        });
    }

    private void serve(Socket socket) throws IOException {
        socket.setSoTimeout(IDLE_MILLIS);
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        IpPort client = new IpPort(Ip.of(socket.getInetAddress().getAddress()), socket.getPort());
        Responder responder = responders.get();
        byte[] framed = new byte[Reply.MAX_LENGTH + 2];
        while (true) {
            byte[] question = next(in);
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

    private static byte[] next(DataInputStream in) throws IOException {
        int length = in.readUnsignedShort();
        if (length < Wire.HEADER) {
            throw new EOFException("a question without a header");
        }
        byte[] question = new byte[length];
        in.readFully(question);
        return question;
    }
}
