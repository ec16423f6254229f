package io.fairlead.kernel;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Many addresses on one device, and packets of a mark that are taken in whatever their address; over rtnetlink.
///
/// It works in the network namespace in which it was opened.
public final class AddressSocket implements AutoCloseable {
    private static final int NEWLINK = 16;
    private static final int GETLINK = 18;
    private static final int NEWADDR = 20;
    private static final int DELADDR = 21;
    private static final int GETADDR = 22;
    private static final int NEWROUTE = 24;
    private static final int DELROUTE = 25;
    private static final int NEWRULE = 32;
    private static final int DELRULE = 33;
    private static final int GETRULE = 34;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_LINKINFO = 18;
    private static final int INFO_KIND = 1;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int NO_DUPLICATE_CHECK = 2;
    private static final int RTA_OIF = 4;
    private static final int RTA_TABLE = 15;
    private static final int FRA_PRIORITY = 6;
    private static final int FRA_FWMARK = 10;
    private static final int FRA_TABLE = 15;
    private static final int FRA_FWMASK = 16;
    private static final int TO_TABLE = 1;
    private static final int BOOT = 3;
    private static final int LOCAL = 2;
    private static final int HOST = 254;
    private static final int UNIVERSE = 0;

    private final NetlinkSocket socket;

    private AddressSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /// Opens it in the calling thread's network namespace.
    public static AddressSocket open() {
        return new AddressSocket(NetlinkSocket.open(NetlinkSocket.ROUTE));
    }

    /// An address of this machine, the length of its network, and the name of the device that has it.
    public record Bound(Ip ip, int prefix, String device) {}

    /// A rule of ours: packets with all bits of `mark` look up `table`.
    public record MarkRule(Family family, int mark, int table) {}

    /// Adds a device that sends nothing anywhere; one that is there already is fine.
    public void addDummy(String name) {
        byte[] request = new NetlinkWriter()
                .message(NEWLINK, NetlinkWriter.ACK | NetlinkWriter.CREATE | NetlinkWriter.EXCLUSIVE, new byte[16])
                .text(IFLA_IFNAME, name)
                .open(IFLA_LINKINFO)
                .text(INFO_KIND, "dummy")
                .close()
                .toBytes();
        try {
            socket.request(request, "add dummy device " + name);
        } catch (KernelException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
    }

    public List<Bound> addresses() {
        Map<Integer, String> names = new HashMap<>();
        for (NetlinkMessage link : socket.dump(dump(GETLINK, new byte[16]))) {
            names.put(number(link, 4), link.attributes(16).text(IFLA_IFNAME));
        }
        List<Bound> bound = new ArrayList<>();
        for (NetlinkMessage message : socket.dump(dump(GETADDR, new byte[8]))) {
            NetlinkAttributes attributes = message.attributes(8);
            attributes
                    .find(IFA_LOCAL)
                    .or(() -> attributes.find(IFA_ADDRESS))
                    .ifPresent(ip -> bound.add(new Bound(
                            Ip.of(ip), message.payload()[1] & 0xff, names.getOrDefault(number(message, 4), ""))));
        }
        return bound;
    }

    /// Gives the device these addresses, all in one go; a prefix longer than an address has bits is cut.
    public void add(String device, Collection<Ip> addresses, int prefix) {
        send(device, addresses, prefix, NEWADDR, NetlinkWriter.CREATE | NetlinkWriter.REPLACE, -1);
    }

    /// Takes them away; such as are not there are fine.
    public void remove(String device, Collection<Ip> addresses, int prefix) {
        send(device, addresses, prefix, DELADDR, 0, Errno.EADDRNOTAVAIL);
    }

    private void send(String device, Collection<Ip> addresses, int prefix, int type, int flags, int tolerated) {
        if (addresses.isEmpty()) {
            return;
        }
        int index =
                findIndex(device).orElseThrow(() -> new KernelException("netlink", Errno.ENODEV, "device " + device));
        NetlinkWriter writer = new NetlinkWriter();
        for (Ip ip : addresses) {
            byte[] header = ByteBuffer.allocate(8)
                    .order(ByteOrder.nativeOrder())
                    .put((byte) number(ip.family()))
                    .put((byte) Math.min(prefix, ip.family().bits()))
                    .put((byte) NO_DUPLICATE_CHECK)
                    .put((byte) 0)
                    .putInt(index)
                    .array();
            writer.message(type, flags, header).bytes(IFA_LOCAL, ip.bytes()).bytes(IFA_ADDRESS, ip.bytes());
        }
        throwUnless(tolerated, writer, "addresses of " + device);
    }

    /// Lets packets with all bits of the rule's mark be taken in, whatever their address.
    public void takeIn(MarkRule rule) {
        int family = number(rule.family());
        NetlinkWriter writer = new NetlinkWriter();
        writer.message(NEWROUTE, NetlinkWriter.CREATE | NetlinkWriter.REPLACE, route(family))
                .u32(RTA_TABLE, rule.table())
                .u32(RTA_OIF, findIndex("lo").orElseThrow());
        mark(writer.message(NEWRULE, NetlinkWriter.CREATE, rule(family)), rule);
        throwUnless(-1, writer, "rule " + rule);
    }

    /// The end of that; one that is not there is fine.
    public void release(MarkRule rule) {
        int family = number(rule.family());
        NetlinkWriter writer = new NetlinkWriter();
        mark(writer.message(DELRULE, 0, rule(family)), rule);
        throwUnless(Errno.ENOENT, writer, "rule " + rule);
        NetlinkWriter route = new NetlinkWriter();
        route.message(DELROUTE, 0, route(family)).u32(RTA_TABLE, rule.table());
        throwUnless(Errno.ESRCH, route, "route of " + rule);
    }

    public List<MarkRule> markRules(Family family) {
        byte[] header = new byte[12];
        header[0] = (byte) number(family);
        return socket.dump(dump(GETRULE, header)).stream()
                .map(message -> message.attributes(12))
                .filter(attributes -> attributes.find(FRA_FWMARK).isPresent())
                .map(attributes -> new MarkRule(family, attributes.u32(FRA_FWMARK), attributes.u32(FRA_TABLE)))
                .toList();
    }

    @Override
    public void close() {
        socket.close();
    }

    public Optional<Integer> findIndex(String device) {
        socket.send(new NetlinkWriter()
                .message(GETLINK, 0, new byte[16])
                .text(IFLA_IFNAME, device)
                .toBytes());
        return socket.drain().stream()
                .filter(reply -> reply.type() == NEWLINK)
                .map(reply -> number(reply, 4))
                .findFirst();
    }

    private void throwUnless(int tolerated, NetlinkWriter writer, String what) {
        for (NetlinkMessage refusal : socket.refusals(writer.toBytes())) {
            if (refusal.errno() != tolerated) {
                throw new KernelException("netlink", refusal.errno(), what);
            }
        }
    }

    private static void mark(NetlinkWriter writer, MarkRule rule) {
        writer.u32(FRA_PRIORITY, 100)
                .u32(FRA_FWMARK, rule.mark())
                .u32(FRA_FWMASK, rule.mark())
                .u32(FRA_TABLE, rule.table());
    }

    private static byte[] rule(int family) {
        byte[] header = new byte[12];
        header[0] = (byte) family;
        header[7] = TO_TABLE;
        return header;
    }

    /// struct rtmsg, for all addresses of a family
    private static byte[] route(int family) {
        byte scope = (byte) (family == 2 ? HOST : UNIVERSE);
        return new byte[] {(byte) family, 0, 0, 0, 0, BOOT, scope, LOCAL, 0, 0, 0, 0};
    }

    private static byte[] dump(int type, byte[] header) {
        return new NetlinkWriter().message(type, NetlinkWriter.DUMP, header).toBytes();
    }

    private static int number(NetlinkMessage message, int at) {
        return ByteBuffer.wrap(message.payload()).order(ByteOrder.nativeOrder()).getInt(at);
    }

    private static int number(Family family) {
        return family == Family.IPV4 ? 2 : 10;
    }
}
