package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import io.fairlead.client.Excerpt;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The `KubeProxyConfiguration` of kube-proxy (kubeproxy.config.k8s.io/v1alpha1), read for a proxy of ours.
///
/// A field that kube-proxy does not have is refused by its name. One that it has and that means nothing here is
/// accepted, and [#unused] names it.
public record KubeProxyConfiguration(JsonNode tree) {
    private static final String API_VERSION = "kubeproxy.config.k8s.io/v1alpha1";

    /// The gate of kube-proxy that means something here.
    private static final String EXTERNAL_IPS = "AllowServiceExternalIPs";

    /// What stands for the address of a server that there shall not be. In a file of kube-proxy an empty one is
    /// the default, and only its flag can say this.
    public static final String NOWHERE = "none";

    /// The defaults where the node's own address is one of IPv6.
    private static final IpPort HEALTH6 = IpPort.parse("[::]:10256");

    private static final IpPort METRICS6 = IpPort.parse("[::1]:10249");

    private static final Set<Ip> UNSPECIFIED = Set.of(Ip.parse("0.0.0.0"), Ip.parse("::"));

    /// What is wrong, field by field; nothing if the configuration can be used.
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (tree.has("apiVersion") && !Json.text(tree, "apiVersion").equals(API_VERSION)) {
            problems.add(Problem.invalid("apiVersion", Json.text(tree, "apiVersion"), "must be " + API_VERSION));
        }
        if (tree.has("kind") && !Json.text(tree, "kind").equals("KubeProxyConfiguration")) {
            problems.add(Problem.invalid("kind", Json.text(tree, "kind"), "must be KubeProxyConfiguration"));
        }
        problems.addAll(KubeProxyFields.problems(tree));
        check(problems);
        return problems;
    }

    /// The fields that are there and mean nothing here.
    public Set<String> unused() {
        Set<String> unused = new TreeSet<>(KubeProxyFields.unused(tree));
        tree.path("featureGates").propertyNames().stream()
                .filter(gate -> !gate.equals(EXTERNAL_IPS))
                .forEach(gate -> unused.add("featureGates." + gate));
        return unused;
    }

    private void check(List<Problem> problems) {
        for (String field : List.of("healthzBindAddress", "metricsBindAddress")) {
            String text = Json.text(tree, field);
            if (!text.isEmpty() && !text.equals(NOWHERE) && address(text, 0).isEmpty()) {
                problems.add(Problem.invalid(field, text, "must be ADDRESS:PORT, or none"));
            }
        }
        for (String text : list("clusterCIDR")) {
            if (Cidr.find(text).isEmpty()) {
                problems.add(Problem.invalid("clusterCIDR", text, "must be a CIDR, or two with a comma between"));
            }
        }
        for (String text : list("nodePortAddresses")) {
            if (!NodePortAddresses.WORDS.contains(text) && Cidr.find(text).isEmpty()) {
                problems.add(Problem.invalid("nodePortAddresses", text, "must be a CIDR, primary, localhost or all"));
            }
        }
        String mode = Json.text(tree, "mode");
        if (!mode.isEmpty() && !mode.equals("auto") && ProxyModes.find(mode).isEmpty()) {
            problems.add(Problem.notSupported(
                    "mode", mode, "\"auto\", \"" + String.join("\", \"", ProxyModes.names()) + "\""));
        }
        for (String section : sections()) {
            int bit = masqueradeBit(section);
            if (bit < 0 || bit > 31) {
                problems.add(
                        Problem.invalid(section + ".masqueradeBit", Integer.toString(bit), "must be from 0 to 31"));
            }
        }
        problems.addAll(IpvsSettings.problems(tree));
        String own = Json.text(tree, "bindAddress");
        if (!own.isEmpty() && Ip.find(own).isEmpty()) {
            problems.add(Problem.invalid("bindAddress", own, "must be an IP address"));
        }
        tree.path("featureGates").propertyStream().forEach(gate -> {
            if (!gate.getValue().isBoolean()) {
                problems.add(
                        Problem.invalid("featureGates." + gate.getKey(), gate.getValue(), "must be true or false"));
            }
        });
        checkDetector(problems);
        problems.addAll(ConntrackSettings.problems(tree.path("conntrack")));
    }

    private void checkDetector(List<Problem> problems) {
        String mode = Json.text(tree, "detectLocalMode");
        switch (mode) {
            case "", "ClusterCIDR", "NodeCIDR" -> {}
            case "BridgeInterface" -> required(problems, "bridgeInterface");
            case "InterfaceNamePrefix" -> required(problems, "interfaceNamePrefix");
            default ->
                problems.add(Problem.notSupported(
                        "detectLocalMode",
                        mode,
                        "\"ClusterCIDR\", \"NodeCIDR\", \"BridgeInterface\", \"InterfaceNamePrefix\""));
        }
    }

    private void required(List<Problem> problems, String field) {
        if (Json.text(tree, "detectLocal", field).isEmpty()) {
            problems.add(Problem.required("detectLocal." + field, "detectLocalMode asks for it"));
        }
    }

    /// The file that would say the same.
    public String text() {
        ObjectNode file = Json.object().put("apiVersion", API_VERSION).put("kind", "KubeProxyConfiguration");
        tree.propertyStream().forEach(field -> file.set(field.getKey(), field.getValue()));
        return Yaml.format(file);
    }

    /// The file that says how to reach the API server; empty for that of the pod we are in.
    public String kubeconfig() {
        return Json.text(tree, "clientConnection", "kubeconfig");
    }

    public String nodeName() {
        return Json.text(tree, "hostnameOverride");
    }

    /// The mode; `auto` where none is named.
    public String mode() {
        String mode = Json.text(tree, "mode");
        return mode.isEmpty() ? "auto" : mode;
    }

    /// Whether the detector is the node's own pod network, which the cluster tells.
    public boolean detectsByNode() {
        return Json.text(tree, "detectLocalMode").equals("NodeCIDR");
    }

    public ConntrackSettings conntrack() {
        return ConntrackSettings.of(tree.path("conntrack"));
    }

    /// What its proxy reads of the cluster: for a [io.fairlead.client.Reflector] that serves no other program.
    public Excerpt excerpt() {
        return Json.flag(tree, true, "featureGates", EXTERNAL_IPS)
                ? Remembered.EXCERPT
                : Remembered.excerptWithoutExternalIps();
    }

    /// The proxy of the node of this name; `mode` has been chosen.
    public ProxyConfig proxy(String node, String mode) {
        return new ProxyConfig(
                mode,
                facts(node, mode),
                address("healthzBindAddress", ProxyConfig.DEFAULT_HEALTH_ADDRESS, HEALTH6),
                address("metricsBindAddress", ProxyConfig.DEFAULT_METRICS_ADDRESS, METRICS6),
                Json.flag(tree, false, "bindAddressHardFail"),
                new ModeOptions(IpvsSettings.of(tree), EbpfSettings.of(tree)));
    }

    private NodeFacts facts(String node, String mode) {
        List<Cidr> networks = list("clusterCIDR").stream()
                .flatMap(text -> Cidr.find(text).stream())
                .toList();
        return NodeFacts.of(node, networks)
                .withPods(detector(networks))
                .withMasqueradeAll(Json.flag(tree, false, section(mode), "masqueradeAll"))
                .withMasqueradeBit(masqueradeBit(section(mode)))
                .withScheduler(Scheduler.find(scheduler()).orElse(Scheduler.NODE_DEFAULT))
                .withLocalhostNodePorts(Json.flag(tree, true, "iptables", "localhostNodePorts"))
                .withAddresses(ownAddress())
                .withNodePortAddresses(nodePortAddresses());
    }

    /// Where the configuration of a mode stands.
    private static String section(String mode) {
        return ProxyModes.find(mode).orElse(ProxyModes.DEFAULT).section();
    }

    private static List<String> sections() {
        return ProxyModes.ALL.stream().map(Mode::section).distinct().toList();
    }

    /// How the mode ipvs spreads connections of Services that do not say; empty where nothing is said.
    private String scheduler() {
        return Json.text(tree, "ipvs", "scheduler");
    }

    private int masqueradeBit(String section) {
        return Json.number(tree, NodeFacts.DEFAULT_MASQUERADE_BIT, section, "masqueradeBit");
    }

    /// `bindAddress` is kube-proxy's idea of the node's own address, where it is one.
    private List<Ip> ownAddress() {
        return Ip.find(Json.text(tree, "bindAddress")).stream()
                .filter(ip -> !UNSPECIFIED.contains(ip))
                .toList();
    }

    private LocalPods detector(List<Cidr> networks) {
        return switch (Json.text(tree, "detectLocalMode")) {
            case "BridgeInterface" -> new LocalPods.Bridge(Json.text(tree, "detectLocal", "bridgeInterface"));
            case "InterfaceNamePrefix" ->
                new LocalPods.InterfacePrefix(Json.text(tree, "detectLocal", "interfaceNamePrefix"));
            case "NodeCIDR" -> new LocalPods.Unknown(); // until the node tells
            default -> LocalPods.within(networks);
        };
    }

    private NodePortAddresses nodePortAddresses() {
        return NodePortAddresses.of(list("nodePortAddresses"));
    }

    /// A list, or one text with commas.
    private List<String> list(String field) {
        JsonNode value = tree.path(field);
        List<String> texts = value.isArray()
                ? Json.texts(tree, field)
                : List.of(Json.text(tree, field).split(",", -1));
        return texts.stream().map(String::strip).filter(text -> !text.isEmpty()).toList();
    }

    private Optional<IpPort> address(String field, IpPort usual, IpPort usual6) {
        String text = Json.text(tree, field);
        if (text.equals(NOWHERE)) {
            return Optional.empty();
        }
        boolean isIpv6 = Ip.find(Json.text(tree, "bindAddress"))
                .filter(own -> own.family() == Family.IPV6)
                .isPresent();
        return address(text, usual.port()).or(() -> Optional.of(isIpv6 ? usual6 : usual));
    }

    /// `0.0.0.0:10256`; kube-proxy also takes an address alone.
    private static Optional<IpPort> address(String text, int port) {
        Optional<IpPort> alone = Ip.find(text).map(ip -> new IpPort(ip, port));
        if (alone.isPresent()) {
            return alone;
        }
        try {
            return Optional.of(IpPort.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
