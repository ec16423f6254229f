package io.fairlead.lab;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.kernel.ControlGroup;
import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// One new connection, or one UDP packet, from inside a namespace to an [Answerers] server.
///
/// @param group the control group that the sender is in; nothing where it does not matter
record Question(NetworkNamespace from, Protocol protocol, IpPort to, Optional<ControlGroup> group) {
    Question(NetworkNamespace from, Protocol protocol, IpPort to) {
        this(from, protocol, to, Optional.empty());
    }

    /// What the asker learns.
    sealed interface Reply {
        /// `name` answered, and saw `source`.
        record Answered(String name, Ip source) implements Reply {}

        /// A refusal came at once.
        record Refused() implements Reply {}

        /// A router said at once that there is no way.
        record NoWay(String why) implements Reply {}

        /// No answer came.
        record Silence() implements Reply {}
    }

    static Question tcp(NetworkNamespace from, Ip to, int port) {
        return new Question(from, Protocol.TCP, new IpPort(to, port));
    }

    Reply ask(Duration patience) {
        return from.call(() -> {
            group.ifPresent(ControlGroup::addThisThread);
            return switch (protocol) {
                case TCP -> askTcp(patience);
                case UDP -> askUdp(patience);
                case SCTP -> throw new IllegalArgumentException("Java has no SCTP here");
            };
        });
    }

    private Reply askTcp(Duration patience) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.socket().connect(address(), (int) patience.toMillis());
            channel.socket().setSoTimeout((int) patience.toMillis());
            return parse(channel.socket().getInputStream().readAllBytes());
        } catch (ConnectException e) {
            return new Reply.Refused();
        } catch (SocketTimeoutException e) {
            return new Reply.Silence();
        } catch (SocketException e) {
            return new Reply.NoWay(String.valueOf(e.getMessage()));
        }
    }

    private Reply askUdp(Duration patience) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(address());
            channel.write(ByteBuffer.wrap("who?".getBytes(StandardCharsets.UTF_8)));
            channel.socket().setSoTimeout((int) patience.toMillis());
            var packet = new java.net.DatagramPacket(new byte[512], 512);
            channel.socket().receive(packet);
            return parse(java.util.Arrays.copyOf(packet.getData(), packet.getLength()));
        } catch (PortUnreachableException e) {
            return new Reply.Refused();
        } catch (SocketTimeoutException e) {
            return new Reply.Silence();
        } catch (SocketException e) {
            return new Reply.NoWay(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            if ("Operation not permitted".equals(e.getMessage())) {
                return new Reply.Silence(); // dropped before it left: only the sender's own kernel says so
            }
            throw e;
        }
    }

    private InetSocketAddress address() throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(to.ip().bytes()), to.port());
    }

    private static Reply parse(byte[] answer) {
        String[] words = new String(answer, StandardCharsets.UTF_8).split(" ", -1);
        return new Reply.Answered(words[0], Ip.parse(words[1]));
    }
}
