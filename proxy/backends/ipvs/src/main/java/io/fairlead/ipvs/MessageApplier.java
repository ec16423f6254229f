package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkSocket;
import io.fairlead.kernel.NetlinkWriter;
import java.util.List;

/// Makes changes of which the kernel must take each: netlink messages, and the text of `iptables-restore`.
final class MessageApplier {
    private MessageApplier() {}

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
}
