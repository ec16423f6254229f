package io.fairlead.ipvs;

import io.fairlead.api.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The kernel's switches that the mode needs, in the network namespace of the calling thread.
final class SysctlApplier {
    private static final Logger LOG = LoggerFactory.getLogger(SysctlApplier.class);
    private static final Path FOLDER = Path.of("/proc/sys/net");

    /// A switch and its value.
    record Switch(String key, String value) {}

    private final IpvsOptions options;

    SysctlApplier(IpvsOptions options) {
        this.options = options;
    }

    void apply() {
        wanted(System.getProperty("os.version", ""), options).forEach(SysctlApplier::set);
    }

    /// Of a kernel of this version: one from 4.1 to 5.8 keeps a client that reuses a port waiting for a second.
    static List<Switch> wanted(String version, IpvsOptions options) {
        List<Switch> switches = new ArrayList<>(List.of(
                new Switch("ipv4/vs/conntrack", "1"),
                new Switch("ipv4/vs/expire_nodest_conn", "1"),
                new Switch("ipv4/vs/expire_quiescent_template", "1"),
                new Switch("ipv4/ip_forward", "1")));
        String[] parts = version.split("[^0-9]+", 3);
        if (parts.length > 1 && !parts[0].isEmpty()) {
            int number = Integer.parseInt(parts[0]) * 1000 + Integer.parseInt(parts[1]);
            if (number >= 4001 && number < 5009) {
                switches.add(new Switch("ipv4/vs/conn_reuse_mode", "0"));
            }
        }
        if (options.prefix() < Family.IPV4.bits()) {
            // Else the addresses of one network would all go with the first of them.
            switches.add(new Switch("ipv4/conf/%s/promote_secondaries".formatted(options.device()), "1"));
        }
        if (options.strictArp()) {
            switches.add(new Switch("ipv4/conf/all/arp_ignore", "1"));
            switches.add(new Switch("ipv4/conf/all/arp_announce", "2"));
        }
        return switches;
    }

    private static void set(Switch wanted) {
        Path path = FOLDER.resolve(wanted.key());
        try {
            if (!Files.readString(path).strip().equals(wanted.value())) {
                Files.writeString(path, wanted.value());
            }
        } catch (IOException e) {
            LOG.warn("event=sysctl-refused path={} value={} reason=\"{}\"", path, wanted.value(), e.toString());
        }
    }
}
