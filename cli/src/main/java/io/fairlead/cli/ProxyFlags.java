package io.fairlead.cli;

import io.fairlead.api.Json;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.node.ObjectNode;

/// The flags of kube-proxy, each a field of its configuration: what is typed stands above what the file says.
final class ProxyFlags {
    private enum Type {
        TEXT,
        NUMBER,
        FLAG,
        IGNORED
    }

    /// One flag; `path` is where its value goes in the configuration.
    private record Flag(String name, Type type, String path, String description) {}

    private static final List<Flag> FLAGS = List.of(
            text("hostname-override", "hostnameOverride", "The name of this node. Default: the host's name."),
            text("proxy-mode", "mode", "How to program the kernel: auto, nftables, iptables. Default: auto."),
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
                    "Where node ports answer: CIDRs, or primary. Default: every address."),
            text("healthz-bind-address", "healthzBindAddress", "Where /healthz answers. Default: 0.0.0.0:10256."),
            text("metrics-bind-address", "metricsBindAddress", "Where /metrics answers. Default: 127.0.0.1:10249."),
            flag("bind-address-hard-fail", "bindAddressHardFail", "End when a port cannot be had."),
            flag("masquerade-all", "iptables.masqueradeAll", "Masquerade every connection to a ClusterIP."),
            flag(
                    "iptables-localhost-nodeports",
                    "iptables.localhostNodePorts",
                    "Answer node ports at 127.0.0.1 too (iptables, IPv4)."),
            number(
                    "iptables-masquerade-bit",
                    "iptables.masqueradeBit",
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
            ignored("bind-address"),
            ignored("config-sync-period"),
            ignored("feature-gates"),
            ignored("iptables-sync-period"),
            ignored("iptables-min-sync-period"),
            ignored("kube-api-burst"),
            ignored("kube-api-content-type"),
            ignored("kube-api-qps"),
            ignored("oom-score-adj"),
            ignored("v"));

    private ProxyFlags() {}

    private static Flag text(String name, String path, String description) {
        return new Flag(name, Type.TEXT, path, description);
    }

    private static Flag number(String name, String path, String description) {
        return new Flag(name, Type.NUMBER, path, description);
    }

    private static Flag flag(String name, String path, String description) {
        return new Flag(name, Type.FLAG, path, description);
    }

    private static Flag ignored(String name) {
        return new Flag(name, Type.IGNORED, "", "Accepted for kube-proxy's sake; means nothing here.");
    }

    /// Gives a command these flags.
    static void addTo(CommandSpec command) {
        for (Flag flag : FLAGS) {
            OptionSpec.Builder option = switch (flag.name()) {
                case "proxy-mode" -> OptionSpec.builder("--proxy-mode", "--mode");
                case "v" -> OptionSpec.builder("--v", "-v");
                default -> OptionSpec.builder("--" + flag.name());
            };
            option.description(flag.description()).hidden(flag.type() == Type.IGNORED);
            boolean isFlag = flag.type() == Type.FLAG;
            if (isFlag) {
                option.type(Boolean.class).arity("0..1").fallbackValue("true").paramLabel("true|false");
            } else {
                option.type(String.class).arity("1").paramLabel(flag.type().name());
            }
            command.addOption(option.build());
        }
    }

    /// `file` with what was typed on the command line in its place.
    static ObjectNode over(ObjectNode file, CommandSpec command) {
        ObjectNode tree = file.deepCopy();
        for (Flag flag : FLAGS) {
            Optional.ofNullable(command.findOption(flag.name()).getValue())
                    .filter(_ -> flag.type() != Type.IGNORED)
                    .ifPresent(value -> put(tree, flag, value.toString()));
        }
        return tree;
    }

    private static void put(ObjectNode tree, Flag flag, String value) {
        int dot = flag.path().indexOf('.');
        ObjectNode parent = dot < 0 ? tree : tree.withObjectProperty(flag.path().substring(0, dot));
        String field = flag.path().substring(dot + 1);
        switch (flag.type()) {
            case TEXT -> parent.put(field, value);
            case FLAG -> parent.put(field, Boolean.parseBoolean(value));
            case NUMBER -> parent.put(field, number(flag, value));
            case IGNORED -> {}
        }
    }

    private static int number(Flag flag, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new CommandException("error: --%s: \"%s\" is no whole number".formatted(flag.name(), value), e);
        }
    }

    static ObjectNode none() {
        return Json.object();
    }
}
