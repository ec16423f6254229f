package io.fairlead.iptables;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Switch;
import io.fairlead.kernel.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The kernel's switch `route_localnet`, in the network namespace of the calling thread.
///
/// Where it is on, a neighbour can reach what listens at 127.0.0.1 alone (CVE-2020-8558), but for the chain
/// KUBE-LOCALNET. So it goes on behind that chain and off before it. A note in the chain says that it was on before us:
/// then it is not ours, and stays as it is.
///
/// Where it may not be turned on, as in a container that is not privileged, node ports do not answer at 127.0.0.1 and
/// all else works. Where it may not be turned off, the chain has to stay.
final class RouteLocalnetApplier {
    private static final Logger LOG = LoggerFactory.getLogger(RouteLocalnetApplier.class);

    private final Path path;
    private boolean told;

    RouteLocalnetApplier() {
        this(Path.of("/proc/sys/net/ipv4/conf/all/route_localnet"));
    }

    RouteLocalnetApplier(Path path) {
        this.path = path;
    }

    /// Whether it was on before we came, now or before a restart.
    boolean wasOn(Tools tools) {
        if (!isOn()) {
            return false;
        }
        Command.Result guard =
                ToolsReader.read(tools.list(Switch.GUARD.family(), Switch.GUARD.table(), Switch.GUARD.chain()));
        return !guard.succeeded() || guard.output().contains(Switch.NOT_OURS);
    }

    /// The switch as what is ours, where it is on and these are the rules beside it.
    List<Switch> observe(Collection<IptablesEntry> entries) {
        boolean ours = entries.stream().anyMatch(RouteLocalnetApplier::isGuardOfOurs);
        return ours && isOn() ? List.of(new Switch()) : List.of();
    }

    private static boolean isGuardOfOurs(IptablesEntry entry) {
        return entry instanceof Chain(ChainKey place, List<Rule> rules)
                && place.equals(Switch.GUARD)
                && rules.stream().noneMatch(rule -> rule.text().contains(Switch.NOT_OURS));
    }

    /// What has to be done before the rules of a patch are written.
    void before(Patch<IptablesEntry> patch) {
        if (patch.removed().stream().anyMatch(Switch.class::isInstance) && isOn()) {
            try {
                Files.writeString(path, "0");
            } catch (IOException e) {
                throw new ApplyException("%s cannot be set to 0, so its guard stays".formatted(path), e);
            }
        }
    }

    /// What has to be done when the rules of a patch are there.
    void after(Patch<IptablesEntry> patch) {
        if (patch.added().stream().anyMatch(Switch.class::isInstance) && !isOn()) {
            try {
                Files.writeString(path, "1");
            } catch (IOException e) {
                tell(e);
            }
        }
    }

    /// Once: it is tried again whenever the rules are read back.
    private void tell(IOException reason) {
        if (!told) {
            told = true;
            LOG.warn(
                    "event=sysctl-refused path={} value=1 effect=\"node ports do not answer at 127.0.0.1\""
                            + " reason=\"{}\"",
                    path,
                    reason.toString());
        }
    }

    private boolean isOn() {
        try {
            return !Files.readString(path).strip().equals("0");
        } catch (IOException e) {
            return false; // a kernel without IPv4 leads nothing anywhere
        }
    }
}
