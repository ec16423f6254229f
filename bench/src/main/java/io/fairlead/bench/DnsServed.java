package io.fairlead.bench;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.resolver.DnsConfig;
import io.fairlead.resolver.DnsServer;
import io.fairlead.resolver.Forward;
import io.fairlead.resolver.UpstreamSettings;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.yaml.Yaml;
import io.fairlead.zone.Name;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A server of names with 10,000 Services, for dnsperf, which forwards other names; with a folder instead of addresses
/// it
/// writes the zones and the questions there, for the servers it is compared with.
final class DnsServed {
    private static final int SERVICES = 10_000;
    private static final int FAR_NAMES = 5_000;

    private static final String FAR_ZONE = """
        far.example. 3600 IN SOA ns.far.example. hostmaster.far.example. 1 7200 1800 86400 60
        far.example. 3600 IN NS ns.far.example.
        ns.far.example. 3600 IN A 127.0.0.2
        """;

    private DnsServed() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Snapshot snapshot = Snapshot.EMPTY.withAll(
                Kind.SERVICE,
                IntStream.range(0, SERVICES).mapToObj(DnsServed::service).toList());
        if (args[0].startsWith("/")) {
            write(Path.of(args[0]), snapshot);
            return;
        }
        try (TaskGroup tasks = new TaskGroup("dns")) {
            Latest<Snapshot> snapshots = new Latest<>();
            // One client asks for all here: how much it may ask of upstream is not what is measured.
            DnsConfig config = DnsConfig.at(List.of(IpPort.parse(args[0])), Integer.parseInt(args[1]))
                    .withForwards(List.of(new Forward(Name.of("far.example"), List.of(IpPort.parse(args[2])))))
                    .withUpstream(UpstreamSettings.DEFAULT.withPerClient(0));
            new DnsServer(config, tasks).run(snapshots);
            snapshots.offer(snapshot);
            tasks.await();
        }
    }

    private static void write(Path folder, Snapshot snapshot) throws IOException {
        String zone = Zone.of(snapshot, ZoneSettings.DEFAULT).text();
        Files.writeString(
                folder.resolve("zone"),
                zone.lines()
                        .filter(line -> line.contains("cluster.local. 5 IN ") || line.contains(" TXT "))
                        .filter(line -> !line.contains(" PTR "))
                        .collect(Collectors.joining("\n", "", "\n")));
        Files.writeString(
                folder.resolve("questions"),
                IntStream.range(0, SERVICES)
                        .mapToObj(number -> "service-%d.room-%d.svc.cluster.local A\n".formatted(number, number % 100))
                        .collect(Collectors.joining()));
        Files.writeString(
                folder.resolve("far-zone"),
                IntStream.range(0, FAR_NAMES)
                        .mapToObj(number -> "name-%d.far.example. 3600 IN A 10.1.%d.%d\n"
                                .formatted(number, number / 250, number % 250))
                        .collect(Collectors.joining("", FAR_ZONE, "")));
        Files.writeString(
                folder.resolve("far-questions"),
                IntStream.range(0, FAR_NAMES)
                        .mapToObj("name-%d.far.example A\n"::formatted)
                        .collect(Collectors.joining()));
    }

    private static Service service(int number) {
        return Service.of(Yaml.parseAll("""
            {metadata: {namespace: room-%d, name: service-%d},
             spec: {clusterIP: 10.96.%d.%d, ports: [{name: http, port: 80}]}}
            """.formatted(number % 100, number, number / 250, number % 250 + 1))
                .getFirst());
    }
}
