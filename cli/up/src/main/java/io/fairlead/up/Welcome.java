package io.fairlead.up;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.lab.Topology;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/// What `up` prints when the cluster answers: what there is, where it is, and what to try. Pure.
final class Welcome {
    private Welcome() {}

    static String text(UpConfig config, Snapshot snapshot, Duration firstAnswer) {
        return """

            %s
            %skubeconfig     %s
            logs           %s
            %s   after %s s

            Try, in another terminal:
            %s
            What changes is shown here. Ctrl-C ends the cluster and removes all of it.
            """.formatted(
                        nodes(config.topology()),
                        config.sample() ? pods(snapshot) + "\n" + services(snapshot) + "\n" : "",
                        config.kubeconfig(),
                        config.logs(),
                        config.sample() ? "first answer" : "ready       ",
                        UpConsole.seconds(firstAnswer),
                        commands(config, snapshot));
    }

    private static String nodes(Topology topology) {
        return TextTable.format(
                List.of("NODE", "ADDRESS", "PODS", "NAMESPACE"),
                topology.nodes().stream()
                        .map(node -> List.of(
                                node.name(),
                                node.ips().getFirst().toString(),
                                node.podCidrs().getFirst().toString(),
                                node.namespace()))
                        .toList());
    }

    private static String pods(Snapshot snapshot) {
        return TextTable.format(
                List.of("POD", "ADDRESS", "NODE", "READY"),
                Sample.pods(snapshot).stream()
                        .map(pod -> List.of(
                                pod.key().name(), addresses(pod), pod.spec().nodeName(), yesNo(pod)))
                        .toList());
    }

    private static String services(Snapshot snapshot) {
        return TextTable.format(
                List.of("SERVICE", "VIP", "PORT", "NODE PORT"),
                Sample.service(snapshot).stream()
                        .flatMap(service -> service.ports().stream()
                                .map(port -> List.of(
                                        service.key().name(),
                                        vip(service).toString(),
                                        String.valueOf(port.port()),
                                        String.valueOf(port.nodePort()))))
                        .toList());
    }

    private static String commands(UpConfig config, Snapshot snapshot) {
        String typed = config.launcher().typed();
        String curl = Sample.service(snapshot)
                .map(service -> "  curl http://%s/\n".formatted(vip(service)))
                .orElse("");
        String door = config.ingress()
                ? "  curl -H 'Host: hello.example.com' http://%s/\n"
                        .formatted(new ChildCommands(config).apiServer().ip())
                : "";
        String delete = Sample.pods(snapshot).stream()
                .findFirst()
                .map(pod -> "  %s delete pod %s\n".formatted(typed, pod.key().name()))
                .orElse("");
        return curl + door + "  %s get services\n".formatted(typed) + delete;
    }

    private static Ip vip(Service service) {
        return service.clusterIps().getFirst();
    }

    private static String addresses(Pod pod) {
        return pod.status().podIps().stream().limit(1).map(Ip::toString).collect(Collectors.joining());
    }

    private static String yesNo(Pod pod) {
        return pod.status().ready() ? "yes" : "no";
    }
}
