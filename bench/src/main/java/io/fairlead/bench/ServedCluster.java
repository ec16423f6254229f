package io.fairlead.bench;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// Services with one port and a number of endpoints each, as an API server holds them: with all that controllers write
/// about an endpoint.
record ServedCluster(int services, int endpoints) {
    private static final Ip FIRST_VIP = Ip.parse("10.96.1.0");
    private static final Ip FIRST_POD = Ip.parse("10.128.0.0");
    private static final Ip FIRST_NEW_POD = Ip.parse("10.160.0.0");
    private static final int WRITERS = 8;

    Ip vip(int service) {
        return FIRST_VIP.plus(service);
    }

    List<Ip> vips() {
        return IntStream.range(0, services).mapToObj(this::vip).toList();
    }

    /// The first endpoint of each Service.
    List<Ip> pods() {
        return IntStream.range(0, services)
                .mapToObj(service -> pod(service, 0, 0))
                .toList();
    }

    /// Writes every object through the API, from the network namespace of the calling thread.
    void create(ApiClient client) throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                all.add(writers.submit(() -> write(client, next)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private int write(ApiClient client, AtomicInteger next) throws InterruptedException {
        int service = next.getAndIncrement();
        while (service < services) {
            client.create(Kind.SERVICE, service(service));
            client.create(Kind.ENDPOINT_SLICE, slice(service, 0));
            service = next.getAndIncrement();
        }
        return service;
    }

    private ObjectNode service(int service) {
        return object("""
            {"metadata":{"name":"svc-%05d","namespace":"default","labels":{"app":"app-%d","tier":"web"}},
             "spec":{"clusterIP":"%s","ports":[{"name":"http","port":80,"targetPort":8080}]}}\
            """.formatted(service, service, vip(service)));
    }

    /// The endpoints of a Service; each generation has others.
    ObjectNode slice(int service, int generation) {
        String pods = IntStream.range(0, endpoints)
                .mapToObj(e -> """
                    {"addresses":["%s"],"conditions":{"ready":true,"serving":true,"terminating":false},
                     "nodeName":"node-%d","zone":"zone-%d","targetRef":{"kind":"Pod","namespace":"default",
                     "name":"app-%d-5b9c8d7f6-%05d","uid":"00000000-0000-4000-8000-%012d"}}\
                    """.formatted(pod(service, generation, e), e, e % 3, service, e, service * 100L + e))
                .collect(Collectors.joining(","));
        return object("""
            {"metadata":{"name":"svc-%05d-abcde","namespace":"default","labels":{"kubernetes.io/service-name":"svc-%05d",
             "endpointslice.kubernetes.io/managed-by":"bench"}},"addressType":"IPv4",
             "ports":[{"name":"http","port":8080,"protocol":"TCP"}],"endpoints":[%s]}\
            """.formatted(service, service, pods));
    }

    private Ip pod(int service, int generation, int e) {
        return generation == 0
                ? FIRST_POD.plus((long) service * endpoints + e)
                : FIRST_NEW_POD.plus((long) generation * endpoints + e);
    }

    /// Whether the address is one of an endpoint of this generation, which is not the first.
    boolean isOf(int generation, Ip pod) {
        long number = pod.low() - FIRST_NEW_POD.low();
        return number >= 0 && number / endpoints == generation;
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) Json.parse(text);
    }
}
