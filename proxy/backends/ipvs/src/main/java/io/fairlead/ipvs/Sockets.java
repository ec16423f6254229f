package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.kernel.AddressSocket;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.GenericFamily;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkSocket;
import io.fairlead.kernel.NetlinkWriter;
import java.util.List;
import java.util.Optional;

/// The ways to the kernel, in the network namespace of the thread that opened them.
record Sockets(NetlinkSocket generic, NetlinkSocket netfilter, AddressSocket addresses, Optional<IpvsMessages> ipvs)
        implements AutoCloseable {
    static Sockets open() {
        NetlinkSocket generic = NetlinkSocket.open(NetlinkSocket.GENERIC);
        Optional<IpvsMessages> ipvs = GenericFamily.find(generic, IpvsMessages.FAMILY, IpvsMessages.VERSION)
                .map(IpvsMessages::new);
        return new Sockets(generic, NetlinkSocket.open(NetlinkSocket.NETFILTER), AddressSocket.open(), ipvs);
    }

    IpvsMessages messages() {
        return ipvs.orElseThrow(() -> new ApplyException("the kernel has no IPVS"));
    }

    /// Sends messages of which each must be taken.
    static void send(NetlinkSocket socket, NetlinkWriter writer, List<? extends IpvsEntry> subjects) {
        if (subjects.isEmpty()) {
            return;
        }
        List<NetlinkMessage> refused = socket.refusals(writer.toBytes());
        if (!refused.isEmpty()) {
            NetlinkMessage first = refused.getFirst();
            throw new ApplyException("the kernel refused %d of %d messages, first \"%s\": error %d"
                    .formatted(refused.size(), subjects.size(), subjects.get(first.sequence() - 1), first.errno()));
        }
    }

    static void restore(Family family, String text) {
        String tool = RulesReader.tool(family, "-restore");
        Command.Result result = Command.run(List.of(tool, "--noflush", "-w", "5"), text);
        if (!result.succeeded()) {
            throw new ApplyException(
                    "%s refused: %s".formatted(tool, result.errors().strip().replace('\n', ' ')));
        }
    }

    @Override
    public void close() {
        generic.close();
        netfilter.close();
        addresses.close();
    }
}
