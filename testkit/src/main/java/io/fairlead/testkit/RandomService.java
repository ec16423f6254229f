package io.fairlead.testkit;

import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One Service at random.
///
/// Its number decides its addresses: 10.96.0.1N, 203.0.113.1N as external address, 203.0.113.2N to .4N from its load
/// balancer. Services 2 and 3 share 203.0.113.50 and mostly differ in protocol; 4 and 5 may have the address of a node.
/// Any may want 203.0.113.60, and all but one of them in vain where they have the same ports.
final class RandomService {
    private final int number;
    private final Dice dice;
    private final List<Port> ports;
    private final boolean headless;

    /// A port of a Service; its name is empty where it is the only one.
    record Port(String name, Protocol protocol, int number) {}

    RandomService(int number, Dice dice) {
        this.number = number;
        this.dice = dice;
        this.ports = dice.one(choices());
        this.headless = dice.oneIn(20);
    }

    String name() {
        return "service-" + number;
    }

    List<Port> ports() {
        return ports;
    }

    boolean isHeadless() {
        return headless;
    }

    private List<List<Port>> choices() {
        Protocol protocol = switch (number % 4) {
            case 2 -> Protocol.UDP;
            case 3 -> Protocol.SCTP;
            default -> Protocol.TCP;
        };
        Port web = new Port("web", protocol, 80);
        Port admin = new Port("admin", protocol, 8081);
        List<Port> one = List.of(new Port("", protocol, 80));
        if (protocol == Protocol.SCTP) {
            return List.of(one, List.of(web, admin));
        }
        Port other = new Port("other", protocol == Protocol.TCP ? Protocol.UDP : Protocol.TCP, 80);
        return List.of(one, List.of(web, admin), List.of(web, other), List.of(other, web, admin));
    }

    Service service() {
        String type = dice.oneIn(20)
                ? "ExternalName"
                : dice.one(List.of("ClusterIP", "NodePort", "LoadBalancer", "LoadBalancer"));
        return Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: %s, labels: {%s}, annotations: {%s}}
            spec: {type: %s, %s}
            status: {loadBalancer: {ingress: [%s]}}
            """.formatted(name(), labels(), annotations(), type, spec(type), ingress()))
                .getFirst());
    }

    private String labels() {
        return dice.oneIn(20) ? Service.PROXY_NAME + ": another" : "app: hello";
    }

    private String annotations() {
        return number != 5 && dice.oneIn(3) ? Service.REFUSE_OTHER_PORTS + ": \"true\"" : "";
    }

    private String spec(String type) {
        List<String> spec = new ArrayList<>();
        if (headless) {
            spec.add("clusterIP: None, clusterIPs: [None]");
        } else if (!type.equals("ExternalName")) {
            spec.add("clusterIPs: [%s]".formatted(clusterIps()));
        }
        spec.addAll(dice.some(
                3,
                List.of(
                        "internalTrafficPolicy: Local",
                        "externalTrafficPolicy: Local",
                        "sessionAffinity: ClientIP",
                        "externalIPs: [%s]".formatted(externalIps()),
                        "loadBalancerSourceRanges: [%s]".formatted(sourceRanges()))));
        boolean open = type.equals("NodePort") || type.equals("LoadBalancer");
        spec.add("ports: [%s]"
                .formatted(ports.stream().map(port -> port(port, open)).collect(Collectors.joining(", "))));
        return String.join(", ", spec);
    }

    /// A Service has both families, or one.
    private String clusterIps() {
        return dice.one(List.of(
                        "10.96.0.1%d, \"fd00:96::1%1$d\"",
                        "10.96.0.1%d, \"fd00:96::1%1$d\"",
                        "\"fd00:96::1%d\", 10.96.0.1%1$d",
                        "10.96.0.1%d",
                        "\"fd00:96::1%d\""))
                .formatted(number);
    }

    /// The address of its own load balancer may be among them.
    private String externalIps() {
        String usual = "203.0.113.1%d, \"2001:db8:1::1%1$d\"".formatted(number);
        String ofNode = number == 4 ? ", 10.210.0.11, \"fd00:210::12\"" : "";
        String balanced = dice.oneIn(3) ? ", 203.0.113.2%d".formatted(number) : "";
        String contested = dice.oneIn(2) ? ", 203.0.113.60, \"2001:db8:1::60\"" : "";
        return usual + ofNode + balanced + contested;
    }

    private String sourceRanges() {
        return String.join(
                ", ",
                dice.some(
                        3,
                        List.of(
                                "198.51.100.0/23",
                                "\" 192.0.2.9/32 \"",
                                "10.244.1.0/25",
                                "10.210.0.0/26",
                                "\"fd00:244:1::/49\"",
                                "\"fd00:210::12/128\"",
                                dice.oneIn(6) ? "0.0.0.0/0" : "198.51.100.8/29")));
    }

    /// The number of a node port is the same for TCP and UDP.
    private String port(Port port, boolean open) {
        int nodePort = (port.number() == 80 ? 30000 : 31000) + number;
        return "{name: \"%s\", protocol: %s, port: %d%s}"
                .formatted(
                        port.name(),
                        port.protocol(),
                        port.number(),
                        open && dice.oneIn(2) ? ", nodePort: " + nodePort : "");
    }

    private String ingress() {
        Stream<String> usual = Stream.of(
                "{ip: 203.0.113.2%d, ipMode: VIP}",
                "{ip: 203.0.113.3%d}",
                "{ip: 203.0.113.4%d, ipMode: Proxy}",
                "{ip: \"2001:db8:1::2%d\"}",
                "{ip: \"2001:db8:1::3%d\", ipMode: VIP}",
                "{hostname: balancer-%d.example.org}");
        Stream<String> special = switch (number) {
            case 2, 3 -> Stream.of("{ip: 203.0.113.50}");
            case 6 -> Stream.of("{ip: 203.0.113.60}");
            case 5 -> Stream.of("{ip: 10.210.0.12}", "{ip: \"fd00:210::11\"}");
            default -> Stream.of();
        };
        return Stream.concat(usual, special)
                .filter(_ -> dice.oneIn(2))
                .map(item -> item.formatted(number))
                .collect(Collectors.joining(", "));
    }
}
