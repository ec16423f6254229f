package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.kernel.GenericFamily;
import io.fairlead.kernel.NetlinkAttributes;
import io.fairlead.kernel.NetlinkWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/// Virtual and real servers as the messages of the kernel's family IPVS, and back. Pure.
final class IpvsMessages {
    static final String FAMILY = "IPVS";
    static final int VERSION = 1;

    /// What is to be done with a server.
    enum Operation {
        ADD(1, 5),
        CHANGE(2, 6),
        REMOVE(3, 7);

        private final int onVirtual;
        private final int onReal;

        Operation(int onVirtual, int onReal) {
            this.onVirtual = onVirtual;
            this.onReal = onReal;
        }
    }

    private static final int GET_SERVICE = 4;
    private static final int GET_DEST = 8;
    private static final int SET_CONFIG = 12;
    private static final int TIMEOUT_TCP = 4;
    private static final int TIMEOUT_TCP_FIN = 5;
    private static final int TIMEOUT_UDP = 6;
    private static final int SERVICE = 1;
    private static final int DEST = 2;

    private static final int AF = 1;
    private static final int PROTOCOL = 2;
    private static final int ADDRESS = 3;
    private static final int PORT = 4;
    private static final int MARK = 5;
    private static final int SCHEDULER = 6;
    private static final int FLAGS = 7;
    private static final int TIMEOUT = 8;
    private static final int NETMASK = 9;
    private static final int STATS = 10;
    private static final int STATS64 = 12;
    private static final int CONNECTIONS = 1;
    private static final int PERSISTENT = 1;

    private static final int DEST_ADDRESS = 1;
    private static final int DEST_PORT = 2;
    private static final int DEST_METHOD = 3;
    private static final int DEST_WEIGHT = 4;
    private static final int DEST_UPPER = 5;
    private static final int DEST_LOWER = 6;
    private static final int DEST_ACTIVE = 7;
    private static final int DEST_INACTIVE = 8;
    private static final int DEST_FAMILY = 11;

    private final GenericFamily family;

    IpvsMessages(GenericFamily family) {
        this.family = family;
    }

    /// A real server as the kernel tells of it: how many connections it has, and how many it ever got.
    record Sighted(RealServer server, int connections, long ever) {}

    /// A virtual server as the kernel tells of it, and how many connections it ever got.
    record Counted(VirtualServer server, long ever) {}

    void write(NetlinkWriter writer, Operation deed, VirtualServer server) {
        family.message(writer, deed.onVirtual, 0).open(SERVICE);
        place(writer, server.place());
        if (deed != Operation.REMOVE) {
            boolean persistent = server.persistence() > 0;
            int flags = server.scheduling().flags() | (persistent ? PERSISTENT : 0);
            writer.text(SCHEDULER, server.scheduling().scheduler())
                    .bytes(FLAGS, host(8).putInt(flags).putInt(-1).array())
                    .u32(TIMEOUT, server.persistence())
                    .u32(NETMASK, server.place().family() == Family.IPV4 ? -1 : 128);
        }
        writer.close();
    }

    void write(NetlinkWriter writer, Operation deed, RealServer server) {
        family.message(writer, deed.onReal, 0).open(SERVICE);
        place(writer, server.place());
        writer.close().open(DEST);
        Ip ip = server.address().ip();
        writer.u16(DEST_FAMILY, number(ip.family()))
                .bytes(DEST_ADDRESS, Arrays.copyOf(ip.bytes(), 16))
                .be16(DEST_PORT, server.address().port());
        if (deed != Operation.REMOVE) {
            writer.u32(DEST_METHOD, 0)
                    .u32(DEST_WEIGHT, server.weight())
                    .u32(DEST_UPPER, 0)
                    .u32(DEST_LOWER, 0);
        }
        writer.close();
    }

    /// Sets how long the kernel remembers idle connections; what is zero stays as it is.
    byte[] timeouts(IpvsTimeouts timeouts) {
        return family.message(new NetlinkWriter(), SET_CONFIG, NetlinkWriter.ACK)
                .u32(TIMEOUT_TCP, (int) timeouts.tcp().toSeconds())
                .u32(TIMEOUT_TCP_FIN, (int) timeouts.tcpFin().toSeconds())
                .u32(TIMEOUT_UDP, (int) timeouts.udp().toSeconds())
                .toBytes();
    }

    /// Asks for all virtual servers.
    byte[] virtualServers() {
        return family.message(new NetlinkWriter(), GET_SERVICE, NetlinkWriter.DUMP)
                .toBytes();
    }

    /// Asks for the real servers of one.
    byte[] realServers(ServerAddress place) {
        NetlinkWriter writer = family.message(new NetlinkWriter(), GET_DEST, NetlinkWriter.DUMP)
                .open(SERVICE);
        place(writer, place);
        return writer.close().toBytes();
    }

    /// A virtual server; nothing if it is of a protocol that Services do not have.
    static Optional<VirtualServer> virtualServer(NetlinkAttributes message) {
        NetlinkAttributes attributes = message.nested(SERVICE);
        ByteBuffer flags = host(attributes.find(FLAGS).orElse(new byte[8]));
        int bits = flags.getInt(0);
        Scheduling scheduling =
                new Scheduling(attributes.text(SCHEDULER), bits & (Scheduling.FALLBACK | Scheduling.PORT));
        int persistence = (bits & PERSISTENT) != 0 ? attributes.u32(TIMEOUT) : 0;
        return place(attributes).map(place -> new VirtualServer(place, scheduling, persistence));
    }

    /// As [#virtualServer], with its count.
    static Optional<Counted> counted(NetlinkAttributes message) {
        return virtualServer(message).map(server -> new Counted(server, ever(message.nested(SERVICE))));
    }

    /// Virtual and real servers have their counters at the same place; an old kernel has small ones alone.
    private static long ever(NetlinkAttributes attributes) {
        return attributes
                .find(STATS64)
                .flatMap(_ -> attributes.nested(STATS64).find(CONNECTIONS))
                .map(value -> host(value).getLong(0))
                .orElseGet(() -> Integer.toUnsignedLong(attributes.nested(STATS).u32(CONNECTIONS)));
    }

    static Sighted realServer(ServerAddress place, NetlinkAttributes message) {
        NetlinkAttributes attributes = message.nested(DEST);
        byte[] address = attributes.find(DEST_ADDRESS).orElseThrow();
        Family of = attributes.find(DEST_FAMILY).map(IpvsMessages::family).orElse(place.family());
        IpPort at = new IpPort(ip(of, address), port(attributes, DEST_PORT));
        return new Sighted(
                new RealServer(place, at, attributes.u32(DEST_WEIGHT)),
                attributes.u32(DEST_ACTIVE) + attributes.u32(DEST_INACTIVE),
                ever(attributes));
    }

    private static void place(NetlinkWriter writer, ServerAddress place) {
        writer.u16(AF, number(place.family()));
        switch (place) {
            case ServerAddress.At(Ip ip, Protocol protocol, int port) ->
                writer.u16(PROTOCOL, protocol.number())
                        .bytes(ADDRESS, Arrays.copyOf(ip.bytes(), 16))
                        .be16(PORT, port);
            case ServerAddress.Marked(var _, int mark) -> writer.u32(MARK, mark);
        }
    }

    private static Optional<ServerAddress> place(NetlinkAttributes attributes) {
        Family of = attributes.find(AF).map(IpvsMessages::family).orElse(Family.IPV4);
        int mark = attributes.u32(MARK);
        if (mark != 0) {
            return Optional.of(new ServerAddress.Marked(of, mark));
        }
        int number = attributes
                .find(PROTOCOL)
                .map(value -> host(value).getShort(0) & 0xffff)
                .orElse(0);
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.number() == number)
                .findFirst()
                .map(protocol -> new ServerAddress.At(
                        ip(of, attributes.find(ADDRESS).orElseThrow()), protocol, port(attributes, PORT)));
    }

    private static Ip ip(Family family, byte[] bytes) {
        return Ip.of(Arrays.copyOf(bytes, family == Family.IPV4 ? 4 : 16));
    }

    private static int port(NetlinkAttributes attributes, int type) {
        return attributes
                .find(type)
                .map(value -> ByteBuffer.wrap(value).getShort() & 0xffff)
                .orElse(0);
    }

    private static Family family(byte[] number) {
        return host(number).getShort(0) == number(Family.IPV6) ? Family.IPV6 : Family.IPV4;
    }

    private static int number(Family family) {
        return family == Family.IPV4 ? 2 : 10;
    }

    private static ByteBuffer host(int size) {
        return host(new byte[size]);
    }

    private static ByteBuffer host(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
