package io.fairlead.bench;

import io.fairlead.api.IpPort;
import io.fairlead.api.Kind;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.resolver.DnsConfig;
import io.fairlead.resolver.DnsServer;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.yaml.Yaml;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A server of names with 10,000 Services, for dnsperf; with a folder instead of an address it writes the zone and the
/// questions there, for the servers it is compared with.
final class DnsServed {
    private static final int SERVICES = 10_000;

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
            new DnsServer(DnsConfig.at(List.of(IpPort.parse(args[0])), Integer.parseInt(args[1])), tasks)
                    .run(snapshots);
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
    }

    private static Service service(int number) {
        return Service.of(Yaml.parseAll("""
            {metadata: {namespace: room-%d, name: service-%d},
             spec: {clusterIP: 10.96.%d.%d, ports: [{name: http, port: 80}]}}
            """.formatted(number % 100, number, number / 250, number % 250 + 1))
                .getFirst());
    }
}
