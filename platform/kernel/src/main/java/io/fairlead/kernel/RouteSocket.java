package io.fairlead.kernel;

import static io.fairlead.kernel.NetlinkWriter.ACK;
import static io.fairlead.kernel.NetlinkWriter.CREATE;
import static io.fairlead.kernel.NetlinkWriter.DUMP;
import static io.fairlead.kernel.NetlinkWriter.EXCLUSIVE;
import static io.fairlead.kernel.NetlinkWriter.REPLACE;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Links, addresses and routes of the network namespace in which it was opened, over rtnetlink.
public final class RouteSocket implements AutoCloseable {
    private static final int NEWLINK = 16;
    private static final int DELLINK = 17;
    private static final int GETLINK = 18;
    private static final int NEWADDR = 20;
    private static final int NEWROUTE = 24;
    private static final int DELROUTE = 25;
    private static final int NEWRULE = 32;
    private static final int NEWNSID = 88;
    private static final int GETNSID = 90;

    private static final int IFF_UP = 1;
    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MASTER = 10;
    private static final int IFLA_PROTINFO = 12;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_NET_NS_FD = 28;
    private static final int INFO_KIND = 1;
    private static final int INFO_DATA = 2;
    private static final int VETH_INFO_PEER = 1;
    private static final int BRPORT_MODE = 4;
    private static final int AF_BRIDGE = 7;

    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int IFA_F_NODAD = 2;

    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_GATEWAY = 5;
    private static final int RTA_MULTIPATH = 9;
    private static final int RT_TABLE_MAIN = 254;
    private static final int RTPROT_STATIC = 4;
    private static final int RTN_UNICAST = 1;
    private static final int RT_SCOPE_UNIVERSE = 0;
    private static final int RT_SCOPE_LINK = 253;

    private static final int NETNSA_NSID = 1;
    private static final int NETNSA_PID = 2;

    private static final int FRA_DST = 1;
    private static final int FRA_IIFNAME = 3;
    private static final int FR_ACT_UNREACHABLE = 7;

    private final NetlinkSocket socket;

    private RouteSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens it in the calling thread's network namespace.
    public static RouteSocket open() {
        return new RouteSocket(NetlinkSocket.open(NetlinkSocket.ROUTE));
    }

    public void addBridge(String name) {
        send(
                "add bridge " + name,
                NEWLINK,
                CREATE | EXCLUSIVE,
                link(0, 0, 0, 0),
                w -> w.text(IFLA_IFNAME, name)
                        .open(IFLA_LINKINFO)
                        .text(INFO_KIND, "bridge")
                        .close());
    }

    /// Adds a pair of linked devices: `name` here, `peer` inside `peerNamespace`.
    public void addVeth(String name, String peer, NetworkNamespace peerNamespace) {
        peerNamespace.withOpenFile(fd -> send(
                "add veth %s to %s in %s".formatted(name, peer, peerNamespace.name()),
                NEWLINK,
                CREATE | EXCLUSIVE,
                link(0, 0, 0, 0),
                w -> {
                    w.text(IFLA_IFNAME, name).open(IFLA_LINKINFO).text(INFO_KIND, "veth");
                    w.open(INFO_DATA).open(VETH_INFO_PEER).raw(link(0, 0, 0, 0));
                    w.text(IFLA_IFNAME, peer).u32(IFLA_NET_NS_FD, fd);
                    w.close().close().close();
                }));
    }

    /// Removes a link; one that is not there is fine.
    public void deleteLink(String name) {
        findIndex(name).ifPresent(index -> {
            try {
                send("delete link " + name, DELLINK, 0, link(0, index, 0, 0), _ -> {});
            } catch (KernelException e) {
                if (!e.is(Errno.ENODEV)) {
                    throw e;
                }
            }
        });
    }

    public void setUp(String name) {
        send("set up " + name, NEWLINK, 0, link(0, index(name), IFF_UP, IFF_UP), _ -> {});
    }

    public void setDown(String name) {
        send("set down " + name, NEWLINK, 0, link(0, index(name), 0, IFF_UP), _ -> {});
    }

    /// Makes `name` a port of `bridge`.
    public void setMaster(String name, String bridge) {
        int master = index(bridge);
        send(
                "put %s into %s".formatted(name, bridge),
                NEWLINK,
                0,
                link(0, index(name), 0, 0),
                w -> w.u32(IFLA_MASTER, master));
    }

    /// Gives a link its hardware address; a bridge without one takes that of a port, and changes it with its ports.
    public void setHardwareAddress(String name, byte[] address) {
        send(
                "hardware address of " + name,
                NEWLINK,
                0,
                link(0, index(name), 0, 0),
                w -> w.bytes(IFLA_ADDRESS, address));
    }

    /// Lets a bridge port send a packet back where it came from: a pod that reaches itself through its Service.
    public void setHairpin(String port) {
        send(
                "hairpin on " + port,
                NEWLINK,
                0,
                link(AF_BRIDGE, index(port), 0, 0),
                w -> w.open(IFLA_PROTINFO).u8(BRPORT_MODE, 1).close());
    }

    /// Gives a link an address; one it has already is fine.
    public void addAddress(String name, Ip ip, int prefix) {
        int index = index(name);
        byte[] header = header(8)
                .put((byte) af(ip.family()))
                .put((byte) prefix)
                .put((byte) IFA_F_NODAD)
                .put((byte) 0)
                .putInt(index)
                .array();
        send(
                "add address %s/%d to %s".formatted(ip, prefix, name),
                NEWADDR,
                CREATE | REPLACE,
                header,
                w -> w.bytes(IFA_LOCAL, ip.bytes()).bytes(IFA_ADDRESS, ip.bytes()));
    }

    /// Adds a route, or replaces the one to the same block.
    public void replaceRoute(Route route) {
        int scope = route.via().isEmpty() ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
        send("route " + route, NEWROUTE, CREATE | REPLACE, route(route.to(), scope), w -> {
            destination(w, route.to());
            switch (route.via().size()) {
                case 0 -> w.u32(RTA_OIF, index(route.link()));
                case 1 -> w.bytes(RTA_GATEWAY, route.via().getFirst().bytes()).u32(RTA_OIF, index(route.link()));
                default -> multipath(w, route);
            }
        });
    }

    /// Removes the route to a block; one that is not there is fine.
    public void deleteRoute(Cidr to) {
        try {
            send("delete route to " + to, DELROUTE, 0, route(to, RT_SCOPE_UNIVERSE), w -> destination(w, to));
        } catch (KernelException e) {
            if (!e.is(Errno.ESRCH)) {
                throw e;
            }
        }
    }

    /// Tells senders behind the link `from` that `to` cannot be reached, whatever routes there are; for a router that
    /// must not send a packet back to where it came from.
    public void refuse(Cidr to, String from) {
        // struct fib_rule_hdr
        byte[] header = header(12)
                .put(0, (byte) af(to.family()))
                .put(1, (byte) to.prefix())
                .put(7, (byte) FR_ACT_UNREACHABLE)
                .array();
        send("refuse %s from %s".formatted(to, from), NEWRULE, CREATE | EXCLUSIVE, header, w -> {
            w.bytes(FRA_DST, to.network().bytes()).text(FRA_IIFNAME, from);
        });
    }

    /// The names of all links.
    public List<String> links() {
        byte[] request =
                new NetlinkWriter().message(GETLINK, DUMP, link(0, 0, 0, 0)).toBytes();
        return socket.dump(request).stream()
                .map(message -> message.attributes(16).text(IFLA_IFNAME))
                .toList();
    }

    @Override
    public void close() {
        socket.close();
    }

    private void multipath(NetlinkWriter w, Route route) {
        int index = index(route.link());
        w.open(RTA_MULTIPATH);
        for (Ip via : route.via()) {
            byte[] gateway = via.bytes();
            w.raw(header(8)
                    .putShort((short) (8 + 4 + gateway.length))
                    .put((byte) 0)
                    .put((byte) 0)
                    .putInt(index)
                    .array());
            w.bytes(RTA_GATEWAY, gateway);
        }
        w.close();
    }

    private static void destination(NetlinkWriter w, Cidr to) {
        if (to.prefix() > 0) {
            w.bytes(RTA_DST, to.network().bytes());
        }
    }

    private int index(String name) {
        return findIndex(name).orElseThrow(() -> new KernelException("netlink", Errno.ENODEV, "link " + name));
    }

    private Optional<Integer> findIndex(String name) {
        byte[] request = new NetlinkWriter()
                .message(GETLINK, 0, link(0, 0, 0, 0))
                .text(IFLA_IFNAME, name)
                .toBytes();
        socket.send(request);
        for (NetlinkMessage reply : socket.drain()) {
            if (reply.type() == NEWLINK) {
                return Optional.of(ByteBuffer.wrap(reply.payload())
                        .order(ByteOrder.nativeOrder())
                        .getInt(4));
            }
        }
        return Optional.empty();
    }

    /// Whether a link of this namespace leads into that of a process.
    public boolean isLinkedTo(long pid) {
        socket.send(new NetlinkWriter()
                .message(GETNSID, 0, new byte[4])
                .u32(NETNSA_PID, (int) pid)
                .toBytes());
        return socket.drain().stream()
                .filter(reply -> reply.type() == NEWNSID)
                .anyMatch(reply -> reply.attributes(4).u32(NETNSA_NSID) >= 0);
    }

    private void send(String what, int type, int flags, byte[] header, Consumer<NetlinkWriter> attributes) {
        NetlinkWriter writer = new NetlinkWriter().message(type, flags | ACK, header);
        attributes.accept(writer);
        socket.request(writer.toBytes(), what);
    }

    /// struct ifinfomsg
    private static byte[] link(int family, int index, int flags, int change) {
        return header(16)
                .put((byte) family)
                .put((byte) 0)
                .putShort((short) 0)
                .putInt(index)
                .putInt(flags)
                .putInt(change)
                .array();
    }

    /// struct rtmsg
    private static byte[] route(Cidr to, int scope) {
        return header(12)
                .put((byte) af(to.family()))
                .put((byte) to.prefix())
                .put((byte) 0)
                .put((byte) 0)
                .put((byte) RT_TABLE_MAIN)
                .put((byte) RTPROT_STATIC)
                .put((byte) scope)
                .put((byte) RTN_UNICAST)
                .putInt(0)
                .array();
    }

    private static ByteBuffer header(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }

    private static int af(Family family) {
        return family == Family.IPV4 ? 2 : 10;
    }
}
