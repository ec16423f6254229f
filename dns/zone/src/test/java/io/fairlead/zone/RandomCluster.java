package io.fairlead.zone;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Namespace;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// A cluster whose Services, slices, namespaces and pods come, change and go at random; the same seed, the same steps.
final class RandomCluster {
    private static final int SERVICES = 12;
    private static final List<String> NAMESPACES = List.of("default", "other", "third");

    private final RandomGenerator random;
    private Snapshot snapshot = Snapshot.EMPTY;

    RandomCluster(long seed) {
        this.random = new Random(seed);
    }

    Snapshot step() {
        KubernetesObject object = switch (random.nextInt(8)) {
            case 0 -> Namespace.of(yaml("{metadata: {name: %s}}".formatted(namespace())));
            case 1 -> pod();
            case 2, 3, 4 -> service();
            default -> slice();
        };
        snapshot = random.nextInt(4) == 0 ? snapshot.without(object) : snapshot.with(object);
        return snapshot;
    }

    private String namespace() {
        return NAMESPACES.get(random.nextInt(NAMESPACES.size()));
    }

    private Service service() {
        int number = random.nextInt(SERVICES);
        int address = random.nextInt(8) == 0 ? 10 : 10 + number;
        String spec = switch (random.nextInt(6)) {
            case 0 -> "type: ExternalName, externalName: %s".formatted(external(number));
            case 1, 2 -> "clusterIP: None, publishNotReadyAddresses: %s".formatted(random.nextBoolean());
            case 3 -> "clusterIP: 10.96.0.%1$d, clusterIPs: [10.96.0.%1$d, \"fd00:96::%1$d\"]".formatted(address);
            default -> "clusterIP: 10.96.0.%d".formatted(address);
        };
        String ports =
                random.nextBoolean() ? "{port: 80}" : "{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}";
        return Service.of(yaml("{metadata: {namespace: %s, name: Service-%d}, spec: {%s, ports: [%s]}}"
                .formatted(namespace(), number, spec, ports)));
    }

    private String external(int number) {
        return switch (number % 3) {
            case 0 -> "192.0.2.%d".formatted(number);
            case 1 -> "service-%d.default.svc.cluster.local".formatted(random.nextInt(SERVICES));
            default -> "www.example.org";
        };
    }

    private EndpointSlice slice() {
        int number = random.nextInt(SERVICES);
        boolean six = random.nextInt(3) == 0;
        String endpoints = IntStream.range(0, random.nextInt(6))
                .mapToObj(_ -> endpoint((six ? "fd00:244::" : "10.244.1.") + (1 + random.nextInt(9))))
                .collect(Collectors.joining(", "));
        return EndpointSlice.of(yaml("""
            {metadata: {namespace: %s, name: slice-%d-%d, labels: {kubernetes.io/service-name: Service-%d}},
             addressType: %s, ports: [{name: "%s", port: 8080, protocol: TCP}], endpoints: [%s]}
            """.formatted(
                        namespace(),
                        number,
                        random.nextInt(2),
                        number,
                        six ? "IPv6" : "IPv4",
                        random.nextBoolean() ? "http" : "",
                        endpoints)));
    }

    private String endpoint(String address) {
        String hostname = random.nextInt(3) == 0 ? ", hostname: Host-%d".formatted(random.nextInt(3)) : "";
        return "{addresses: [\"%s\"], conditions: {ready: %s}, zone: zone-%d%s}"
                .formatted(address, random.nextInt(4) > 0, random.nextInt(2), hostname);
    }

    private Pod pod() {
        return Pod.of(yaml("{metadata: {namespace: %s, name: pod-%d}, status: {phase: %s, podIP: 10.244.1.%d}}"
                .formatted(
                        namespace(),
                        random.nextInt(6),
                        random.nextInt(4) == 0 ? "Failed" : "Running",
                        1 + random.nextInt(6))));
    }

    private static JsonNode yaml(String text) {
        return Yaml.parseAll(text).getFirst();
    }
}
