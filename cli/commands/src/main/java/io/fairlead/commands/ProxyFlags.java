package io.fairlead.commands;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.kubectl.CommandException;
import io.fairlead.sync.KubeProxyConfiguration;
import io.fairlead.sync.ProxyModes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.node.ObjectNode;

/// The flags of kube-proxy, each a field of its configuration: what is typed stands above what the file says.
///
/// All flags of kube-proxy 1.36 are taken, and some that are gone since a few versions. Those that mean nothing here
/// share two options: each option that is made takes its share of a proxy's start.
final class ProxyFlags {
    private enum Type {
        TEXT,
        ADDRESS,
        PORT,
        NUMBER,
        FLAG,
        GATES
    }

    /// One flag; `path` is where its value goes in the configuration, or where else with a space between.
    private record Flag(String name, Type type, String path, String description) {}

    private static final List<Flag> FLAGS = List.of(
            text("hostname-override", "hostnameOverride", "The name of this node. Default: the host's name."),
            text(
                    "proxy-mode",
                    "mode",
                    "How to program the kernel: auto, %s. Default: auto."
                            .formatted(String.join(", ", ProxyModes.names()))),
            text("cluster-cidr", "clusterCIDR", "The addresses of all pods: what comes from elsewhere is masqueraded."),
            text(
                    "detect-local-mode",
                    "detectLocalMode",
                    "How to tell pods: ClusterCIDR, NodeCIDR, BridgeInterface, InterfaceNamePrefix."),
            text("pod-bridge-interface", "detectLocal.bridgeInterface", "The bridge that the node's pods are on."),
            text(
                    "pod-interface-name-prefix",
                    "detectLocal.interfaceNamePrefix",
                    "How the names of the pods' interfaces begin."),
            text(
                    "nodeport-addresses",
                    "nodePortAddresses",
                    "Where node ports answer: CIDRs, primary (the addresses by which the cluster knows the node),"
                            + " localhost (mode iptables, IPv4), all; several add up. Default: primary."),
            text("bind-address", "bindAddress", "The address of this node. Default: what the cluster says."),
            new Flag(
                    "healthz-bind-address",
                    Type.ADDRESS,
                    "healthzBindAddress",
                    "Where /healthz answers. Default: 0.0.0.0:10256. Empty: nowhere."),
            new Flag(
                    "metrics-bind-address",
                    Type.ADDRESS,
                    "metricsBindAddress",
                    "Where /metrics answers. Default: 127.0.0.1:10249. Empty: nowhere."),
            new Flag("healthz-port", Type.PORT, "healthzBindAddress", "Deprecated: see --healthz-bind-address."),
            new Flag("metrics-port", Type.PORT, "metricsBindAddress", "Deprecated: see --metrics-bind-address."),
            flag(
                    "bind-address-hard-fail",
                    "bindAddressHardFail",
                    "End when a port cannot be had. Default: false, it is tried again."),
            flag(
                    "masquerade-all",
                    "iptables.masqueradeAll nftables.masqueradeAll",
                    "Masquerade every connection to a ClusterIP."),
            flag(
                    "iptables-localhost-nodeports",
                    "iptables.localhostNodePorts",
                    "Answer node ports at 127.0.0.1 too (iptables, IPv4)."),
            number(
                    "iptables-masquerade-bit",
                    "iptables.masqueradeBit nftables.masqueradeBit",
                    "The bit of the packet mark that asks for masquerade. Default: 14."),
            number(
                    "conntrack-max-per-core",
                    "conntrack.maxPerCore",
                    "How many connections to remember for each core. Default: 32768."),
            number("conntrack-min", "conntrack.min", "How many at least. Default: 131072."),
            text(
                    "conntrack-tcp-timeout-established",
                    "conntrack.tcpEstablishedTimeout",
                    "How long an idle connection is remembered. Default: 24h0m0s."),
            text(
                    "conntrack-tcp-timeout-close-wait",
                    "conntrack.tcpCloseWaitTimeout",
                    "How long one in CLOSE_WAIT is. Default: 1h0m0s."),
            flag(
                    "conntrack-tcp-be-liberal",
                    "conntrack.tcpBeLiberal",
                    "Do not take packets outside the window for invalid."),
            text("conntrack-udp-timeout", "conntrack.udpTimeout", "How long an unanswered UDP flow is remembered."),
            text("conntrack-udp-timeout-stream", "conntrack.udpStreamTimeout", "How long an answered UDP flow is."),
            text("ipvs-scheduler", "ipvs.scheduler", "How the mode ipvs spreads connections: rr, wrr, lc, wlc, …"),
            text(
                    "ipvs-sync-period",
                    "ipvs.syncPeriod",
                    "How often the mode ipvs compares all with the kernel. Default: 30s."),
            text(
                    "ipvs-tcp-timeout",
                    "ipvs.tcpTimeout",
                    "How long IPVS remembers an idle connection. Default: as it is."),
            text("ipvs-tcpfin-timeout", "ipvs.tcpFinTimeout", "How long after one side has ended."),
            text("ipvs-udp-timeout", "ipvs.udpTimeout", "How long it remembers a UDP client."),
            text("ipvs-exclude-cidrs", "ipvs.excludeCIDRs", "Networks whose virtual servers are never ours."),
            flag("ipvs-strict-arp", "ipvs.strictARP", "Answer ARP for addresses of the asked device alone."),
            text(
                    "vip-device",
                    "fairlead.vipDevice",
                    "The device that bears ClusterIPs in the mode ipvs. Default: kube-ipvs0, which is made."),
            number("vip-prefix", "fairlead.vipPrefix", "The length of their network. Default: that of one address."),
            text(
                    "drain-timeout",
                    "fairlead.drainTimeout",
                    "How long a removed real server of IPVS keeps its connections at most. Default: 15m."),
            text(
                    "cgroup",
                    "fairlead.cgroup",
                    "The control group (version 2) of the node's pods and processes, for the mode ebpf. Default: all."),
            text(
                    "reset-after",
                    "fairlead.resetAfter",
                    "How long after its pod went a TCP connection is reset in the mode ebpf. Default: never."),
            new Flag("feature-gates", Type.GATES, "featureGates", "Gates of kube-proxy: NAME=true,NAME=false."));

    /// Those with a value that mean nothing here.
    private static final String[] IGNORED = words("--config-sync-period --iptables-sync-period"
            + " --iptables-min-sync-period --ipvs-min-sync-period --kube-api-burst"
            + " --kube-api-content-type --kube-api-qps --log-flush-frequency --log-json-info-buffer-size"
            + " --log-text-info-buffer-size --logging-format --oom-score-adj --show-hidden-metrics-for-version --v -v"
            + " --vmodule --proxy-port-range --boot-id-file --boot_id_file --machine-id-file --machine_id_file");

    /// Those that may stand without a value.
    private static final String[] IGNORED_SWITCHES =
            words("--profiling --log-json-split-stream" + " --log-text-split-stream --logtostderr --alsologtostderr");

    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

    private ProxyFlags() {}

    private static String[] words(String text) {
        return text.split(" ", -1);
    }

    private static Flag text(String name, String path, String description) {
        return new Flag(name, Type.TEXT, path, description);
    }

    private static Flag number(String name, String path, String description) {
        return new Flag(name, Type.NUMBER, path, description);
    }

    private static Flag flag(String name, String path, String description) {
        return new Flag(name, Type.FLAG, path, description);
    }

    /// Gives a command these flags.
    static void addTo(CommandSpec command) {
        for (Flag flag : FLAGS) {
            OptionSpec.Builder option = flag.name().equals("proxy-mode")
                    ? OptionSpec.builder("--proxy-mode", "--mode")
                    : OptionSpec.builder("--" + flag.name());
            option.description(flag.description()).hidden(flag.type() == Type.PORT);
            command.addOption(
                    flag.type() == Type.FLAG
                            ? asSwitch(option).build()
                            : option.type(String.class)
                                    .arity("1")
                                    .paramLabel(flag.type().name())
                                    .build());
        }
        String why = "Accepted for kube-proxy's sake; means nothing here.";
        command.addOption(OptionSpec.builder(IGNORED)
                .type(String.class)
                .arity("1")
                .hidden(true)
                .description(why)
                .build());
        command.addOption(asSwitch(OptionSpec.builder(IGNORED_SWITCHES))
                .hidden(true)
                .description(why)
                .build());
    }

    /// An option that says true where it has no value, and takes what Go takes for a truth.
    static OptionSpec.Builder asSwitch(OptionSpec.Builder option) {
        return option.type(String.class).arity("0..1").fallbackValue("true").paramLabel("true|false");
    }

    /// Whether a switch is on; one that was not typed is off.
    static boolean isOn(OptionSpec option) {
        @Nullable String value = option.getValue();
        return value != null && truth(option.longestName(), value);
    }

    private static boolean truth(String name, String value) {
        if (!TRUE.contains(value) && !FALSE.contains(value)) {
            throw new CommandException("error: %s: \"%s\" is neither true nor false".formatted(name, value));
        }
        return TRUE.contains(value);
    }

    /// `file` with what was typed on the command line in its place.
    static ObjectNode over(ObjectNode file, CommandSpec command) {
        ObjectNode tree = file.deepCopy();
        for (Flag flag : FLAGS) {
            Optional.ofNullable(command.findOption(flag.name()).<String>getValue())
                    .ifPresent(value -> words(flag.path(), tree, flag, value));
        }
        return tree;
    }

    private static void words(String paths, ObjectNode tree, Flag flag, String value) {
        for (String path : words(paths)) {
            put(tree, path, flag, value);
        }
    }

    private static void put(ObjectNode tree, String path, Flag flag, String value) {
        int dot = path.indexOf('.');
        ObjectNode parent = dot < 0 ? tree : tree.withObjectProperty(path.substring(0, dot));
        String field = path.substring(dot + 1);
        switch (flag.type()) {
            case TEXT -> parent.put(field, value);
            case ADDRESS -> parent.put(field, value.isEmpty() ? KubeProxyConfiguration.NOWHERE : value);
            case PORT -> parent.put(field, withPort(flag, number(flag, value), Json.text(parent, field)));
            case FLAG -> parent.put(field, truth("--" + flag.name(), value));
            case NUMBER -> parent.put(field, number(flag, value));
            case GATES -> gates(parent.withObjectProperty(field), flag, value);
        }
    }

    /// As in kube-proxy: no port is no server, and another one is for an address that names none.
    private static String withPort(Flag flag, int port, String address) {
        if (port < 0 || port > 65_535) {
            throw new CommandException("error: --%s: must be from 0 to 65535".formatted(flag.name()));
        }
        return port == 0
                ? KubeProxyConfiguration.NOWHERE
                : Ip.find(address).map(ip -> new IpPort(ip, port).toString()).orElse(address);
    }

    private static void gates(ObjectNode gates, Flag flag, String value) {
        for (String gate : value.split(",", -1)) {
            int equal = gate.indexOf('=');
            if (equal < 0) {
                throw new CommandException(
                        "error: --%s: \"%s\" must be NAME=true or NAME=false".formatted(flag.name(), gate));
            }
            gates.put(gate.substring(0, equal).strip(), truth("--" + flag.name(), gate.substring(equal + 1)));
        }
    }

    private static int number(Flag flag, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new CommandException("error: --%s: \"%s\" is no whole number".formatted(flag.name(), value), e);
        }
    }

    /// The flags among these arguments that mean nothing here.
    static List<String> unused(List<String> arguments) {
        List<String> ignored =
                Stream.of(IGNORED, IGNORED_SWITCHES).flatMap(Arrays::stream).toList();
        return arguments.stream()
                .map(word -> word.indexOf('=') < 0 ? word : word.substring(0, word.indexOf('=')))
                .filter(ignored::contains)
                .distinct()
                .toList();
    }

    static ObjectNode none() {
        return Json.object();
    }
}
