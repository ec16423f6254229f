package io.fairlead.bench;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ingress;
import io.fairlead.api.IngressClass;
import io.fairlead.api.Json;
import io.fairlead.api.Secret;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The objects of the cluster whose Ingresses are measured. Pure.
final class IngressObjects {
    /// The port of endpoints that take WebSockets.
    static final int SOCKETS = 8081;

    /// The host of the Ingress that leads to them.
    static final String SOCKETS_HOST = "host-300000.example.com";

    private static final int SOCKETS_INGRESS = 300_000;

    private static final int STRANGER = 100_000;
    private static final int BROKEN = 200_000;
    private static final int STRUCTURE = 400_000;

    private IngressObjects() {}

    static Snapshot cluster(int ingresses) {
        Snapshot cluster = Snapshot.EMPTY
                .with(IngressClass.of(Json.parse(
                        "{\"metadata\":{\"name\":\"fairlead\"},\"spec\":{\"controller\":\"fairlead.io/ingress\"}}")))
                .with(service("hello", 1))
                .with(service("other", 2))
                .with(service("sockets", 3))
                .with(slice("hello", 8080, 1))
                .with(slice("other", 8080, 2))
                .with(slice("sockets", SOCKETS, 1))
                .with(ingress(SOCKETS_INGRESS, "sockets", "", ""));
        for (int i = 0; i < ingresses; i++) {
            cluster = cluster.with(ingress(i, "hello", "", ""));
        }
        return cluster;
    }

    private static Service service(String name, int last) {
        return Service.of(Json.parse("""
            {"metadata":{"namespace":"default","name":"%s"},
            "spec":{"clusterIP":"10.96.0.%d","ports":[{"port":80}]}}
            """.formatted(name, last)));
    }

    static EndpointSlice slice(String service, int port, int last) {
        return EndpointSlice.of(Json.parse("""
            {"metadata":{"namespace":"default","name":"%1$s-1","labels":{"kubernetes.io/service-name":"%1$s"}},
            "addressType":"IPv4","ports":[{"port":%2$d}],"endpoints":[{"addresses":["10.244.1.%3$d"]}]}
            """.formatted(service, port, last)));
    }

    static Ingress ingress(int number, String service, String annotations, String tls) {
        return Ingress.of(Json.parse("""
            {"metadata":{"namespace":"default","name":"ingress-%1$d","annotations":{%3$s}},
            "spec":{"ingressClassName":"fairlead","tls":[%4$s],"rules":[{"host":"host-%1$d.example.com","http":{"paths":[
            {"path":"/","pathType":"Prefix","backend":{"service":{"name":"%2$s","port":{"number":80}}}}]}}]}}
            """.formatted(number, service, annotations, tls)));
    }

    /// The next step of a cluster that does not rest: all endpoints move; every fifth time a certificate is rotated,
    /// and an Ingress of another owner is added, broken, made good or removed. With `structures`, an Ingress comes
    /// every fortieth time with options that none had before, which is a reload.
    static Snapshot step(Snapshot before, int number, String pem, boolean structures) {
        Snapshot after =
                before.with(slice("hello", 8080, 1 + number % 200)).with(slice("sockets", SOCKETS, 1 + number % 200));
        if (number % 5 == 0) {
            after = after.with(secret(number, pem))
                    .with(ingress(
                            STRANGER + number, "hello", "", "{\"hosts\":[\"tls.example.com\"],\"secretName\":\"tls\"}"))
                    .with(ingress(BROKEN, "hello", number % 2 == 0 ? "\"fairlead.io/limit-rps\":\"bad;\"" : "", ""))
                    .without(ingress(STRANGER + number - 50, "hello", "", ""));
        }
        if (structures && number % 40 == 20) {
            after = after.with(
                    ingress(STRUCTURE, "hello", "\"fairlead.io/proxy-body-size\":\"%dk\"".formatted(1 + number), ""));
        }
        return after;
    }

    private static Secret secret(int number, String pem) {
        String data = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        return Secret.of(Json.parse("""
            {"metadata":{"namespace":"default","name":"tls","labels":{"n":"%1$d"}},
            "data":{"tls.crt":"%2$s","tls.key":"%2$s"}}
            """.formatted(number, data)));
    }
}
