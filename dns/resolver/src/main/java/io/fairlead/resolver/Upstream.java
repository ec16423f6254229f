package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.Name;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.Reply;
import io.fairlead.zone.Response;
import io.fairlead.zone.Sections;
import io.fairlead.zone.Wire;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One server of names elsewhere.
///
/// Each question has a socket of its own, so its port and its id are chance, and only what that server sends is heard.
final class Upstream {
    private static final SecureRandom CHANCE = new SecureRandom();

    private final IpPort address;
    private final Duration patience;
    private final boolean mixedCase;
    private final AtomicInteger failures = new AtomicInteger();

    /// With `mixedCase` the letters of a question are large or small by chance, and its answer must have them so.
    Upstream(IpPort address, Duration patience, boolean mixedCase) {
        this.address = address;
        this.patience = patience;
        this.mixedCase = mixedCase;
    }

    IpPort address() {
        return address;
    }

    /// How often in a row it did not answer.
    int failures() {
        return failures.get();
    }

    /// Its answer, by TCP where it does not fit into a datagram; throws where there is none in time.
    Sections ask(Name name, int type) throws IOException {
        try {
            byte[] question = question(name, type);
            if (mixedCase) {
                mixCase(question, name.length());
            }
            Sections sections = byDatagram(question, name, type);
            if (sections.isTruncated()) {
                sections = byStream(question, name, type);
            }
            failures.set(0);
            return sections;
        } catch (IOException e) {
            failures.incrementAndGet();
            throw e;
        }
    }

    private static byte[] question(Name name, int type) {
        byte[] bytes = new byte[Wire.HEADER + name.length() + 4 + 11];
        Wire.putShort(bytes, 0, CHANCE.nextInt(1 << 16));
        Wire.putShort(bytes, Wire.FLAGS, Wire.RECURSION_DESIRED);
        Wire.putShort(bytes, Wire.QUESTIONS, 1);
        Wire.putShort(bytes, Wire.ADDITIONAL, 1);
        int at = name.write(bytes, Wire.HEADER);
        Wire.putShort(bytes, at, type);
        Wire.putShort(bytes, at + 2, RecordType.INTERNET);
        Wire.putShort(bytes, at + 5, RecordType.OPT);
        Wire.putShort(bytes, at + 7, Reply.OWN_PAYLOAD);
        return bytes;
    }

    private static void mixCase(byte[] question, int length) {
        for (int at = Wire.HEADER; at < Wire.HEADER + length; at++) {
            boolean letter = question[at] >= 'a' && question[at] <= 'z';
            if (letter && CHANCE.nextBoolean()) {
                question[at] = (byte) (question[at] - ('a' - 'A'));
            }
        }
    }

    private Sections byDatagram(byte[] question, Name name, int type) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(place());
            socket.send(new DatagramPacket(question, question.length));
            long end = System.nanoTime() + patience.toNanos();
            byte[] bytes = new byte[Reply.MAX_LENGTH];
            while (true) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new SocketTimeoutException("no answer from %s".formatted(address));
                }
                socket.setSoTimeout((int) left);
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                @Nullable
                Sections sections =
                        answer(bytes, packet.getLength(), question, name, type).orElse(null);
                if (sections != null) {
                    return sections;
                }
            }
        }
    }

    private Sections byStream(byte[] question, Name name, int type) throws IOException {
        try (Socket socket = new Socket()) {
            long end = System.nanoTime() + patience.toNanos();
            socket.connect(place(), (int) patience.toMillis());
            byte[] framed = new byte[question.length + 2];
            Wire.putShort(framed, 0, question.length);
            System.arraycopy(question, 0, framed, 2, question.length);
            socket.getOutputStream().write(framed);
            byte[] bytes = new byte[Wire.getShort(read(socket, new byte[2], end), 0)];
            read(socket, bytes, end);
            return answer(bytes, bytes.length, question, name, type)
                    .orElseThrow(() -> new IOException("%s answered another question".formatted(address)));
        }
    }

    /// Fills `bytes` before `end`, however small the pieces are that come.
    private byte[] read(Socket socket, byte[] bytes, long end) throws IOException {
        for (int at = 0; at < bytes.length; ) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException("no whole answer from %s".formatted(address));
            }
            socket.setSoTimeout((int) left);
            int count = socket.getInputStream().read(bytes, at, bytes.length - at);
            if (count < 0) {
                throw new IOException("%s ended within its answer".formatted(address));
            }
            at += count;
        }
        return bytes;
    }

    /// What is no answer to this question is passed over: another may have sent it.
    private Optional<Sections> answer(byte[] bytes, int length, byte[] question, Name name, int type) {
        int end = Wire.HEADER + name.length();
        boolean same =
                !mixedCase || (length >= end && Arrays.equals(bytes, Wire.HEADER, end, question, Wire.HEADER, end));
        return (same ? Response.find(bytes, length) : Optional.<Response>empty())
                .filter(response -> response.id() == Wire.getShort(question, 0)
                        && response.type() == type
                        && response.name().equals(name))
                .map(response -> Bailiwick.kept(response.sections(), name));
    }

    private InetSocketAddress place() throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(address.ip().bytes()), address.port());
    }
}
