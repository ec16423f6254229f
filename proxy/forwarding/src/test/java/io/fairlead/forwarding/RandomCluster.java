package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.on;
import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.terminating;
import static io.fairlead.forwarding.TestObjects.unready;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.TestObjects.Form;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A cluster whose Services and slices come, change and go at random; the same seed gives the same steps.
final class RandomCluster {
    private static final int SERVICES = 12;

    private final RandomGenerator random;
    private Snapshot snapshot = Snapshot.EMPTY;

    RandomCluster(long seed) {
        this.random = new Random(seed);
    }

    Snapshot step() {
        String name = "service-" + random.nextInt(SERVICES);
        snapshot = switch (random.nextInt(8)) {
            case 0 -> withoutService(name);
            case 1, 2 -> snapshot.with(randomService(name));
            case 3 -> withoutSlice(name + "-" + random.nextInt(2));
            default -> snapshot.with(randomSlice(name, name + "-" + random.nextInt(2)));
        };
        return snapshot;
    }

    private Snapshot withoutService(String name) {
        return snapshot.services().find(key(name)).map(snapshot::without).orElse(snapshot);
    }

    private Snapshot withoutSlice(String name) {
        return snapshot.endpointSlices().find(key(name)).map(snapshot::without).orElse(snapshot);
    }

    /// One in eight takes another Service's address: two then claim one door.
    private Service randomService(String name) {
        int address = 10 + (random.nextInt(8) == 0 ? random.nextInt(SERVICES) : Math.abs(name.hashCode() % 200));
        int nodePort = random.nextBoolean() ? 30000 + address : 0;
        String vips = random.nextBoolean()
                ? "clusterIP: 10.96.0.%1$d, clusterIPs: [10.96.0.%1$d, \"fd00:96::%1$d\"]".formatted(address)
                : "clusterIP: 10.96.0.%d".formatted(address);
        return service(
                name,
                "{type: %s, %s, %s ports: [{port: 80, nodePort: %d}]}".formatted(type(), vips, policies(), nodePort));
    }

    private String type() {
        return random.nextBoolean() ? "NodePort" : "LoadBalancer";
    }

    private String policies() {
        String policies = "";
        if (random.nextInt(3) == 0) {
            policies += "internalTrafficPolicy: Local, ";
        }
        if (random.nextInt(3) == 0) {
            policies += "externalTrafficPolicy: Local, healthCheckNodePort: %d, ".formatted(32000 + random.nextInt(9));
        }
        if (random.nextInt(3) == 0) {
            policies += "sessionAffinity: ClientIP, ";
        }
        if (random.nextInt(3) == 0) {
            policies += "externalIPs: [192.0.2.%d, \"2001:db8::%1$d\"], ".formatted(1 + random.nextInt(9));
        }
        return policies;
    }

    private EndpointSlice randomSlice(String service, String name) {
        boolean six = random.nextInt(3) == 0;
        String[] endpoints = IntStream.range(0, random.nextInt(6))
                .mapToObj(_ -> endpoint((six ? "fd00:244:1::" : "10.244.1.") + (1 + random.nextInt(9))))
                .toArray(String[]::new);
        String port = random.nextBoolean() ? "[{port: 8080}]" : "[{port: 9090}]";
        return slice(name, Form.of(service, six ? "IPv6" : "IPv4", port), endpoints);
    }

    private String endpoint(String address) {
        return switch (random.nextInt(5)) {
            case 0 -> unready(address);
            case 1 -> terminating(address);
            case 2 -> on("node-c", address);
            case 3 ->
                "{addresses: [\"%s\"], nodeName: node-b, hints: {forZones: [{name: zone-%d}]}}"
                        .formatted(address, random.nextInt(2));
            default -> ready(address);
        };
    }

    private static NamespacedName key(String name) {
        return new NamespacedName("default", name);
    }
}
