package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.lab.AddressPlan;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The manifests of the documents run as they are printed, and the sessions that are printed with them.
interface DocumentManifests {
    Path DOCUMENTS = Repository.here().root().resolve("docs/examples/documents");

    Workbench bench();

    private void create(String document, String... more) throws Exception {
        bench().run("create -f " + DOCUMENTS.resolve(document) + String.join(" ", more));
    }

    @BesideOthers
    default void the_echoserver_runs_as_printed_and_keeps_its_address_as_a_node_port() throws Exception {
        create("deploy-echoserver.yml");
        create("service-echoserver.yml");
        bench().run("rollout status deployment echoserver --timeout=90s");
        Workbench.soon(() -> assertThat(bench().podsBehind("svc-echoserver", 8080))
                .hasSize(2)
                .allMatch(pod -> pod.contains("echoserver")));
        assertThat(bench().field("endpoints svc-echoserver", ".subsets[0].addresses[*].ip")
                        .split(" "))
                .hasSize(2);
        String vip = bench().field("service svc-echoserver", ".spec.clusterIP");
        bench().run("replace -f " + DOCUMENTS.resolve("service-echoserver-nodeport.yml"));
        assertThat(bench().field("service svc-echoserver", ".spec.clusterIP")).isEqualTo(vip);
        int port = Integer.parseInt(bench().field("service svc-echoserver", ".spec.ports[0].nodePort"));
        IpPort door = new IpPort(bench().cluster().nodeIps().getLast(), port);
        Workbench.soon(() -> assertThat(bench().podsBehind(bench().cluster().outside(), door))
                .hasSize(2)
                .allMatch(pod -> pod.contains("echoserver")));
        lookAroundInBusybox(vip);
    }

    /// The session by which the documents show how a pod finds a Service, typed into a terminal.
    private void lookAroundInBusybox(String vip) throws Exception {
        try (Session shell =
                bench().kubectl().startInTerminal("run -i --tty busybox --image=busybox --restart=Never -- sh")) {
            shell.awaitPrinted("command prompt|[#$] ");
            shell.type("env | grep SVC_ECHOSERVER_SERVICE");
            shell.awaitPrinted("SVC_ECHOSERVER_SERVICE_HOST=" + vip + "\r?\n");
            shell.awaitPrinted("SVC_ECHOSERVER_SERVICE_PORT=8080\r?\n");
            shell.type("curl -s $SVC_ECHOSERVER_SERVICE_HOST:$SVC_ECHOSERVER_SERVICE_PORT");
            shell.awaitPrinted("pod: echoserver-");
            shell.type("exit");
            shell.awaitEnd();
        }
        Workbench.soon(
                () -> assertThat(bench().field("pod busybox", ".status.phase")).isEqualTo("Succeeded"));
    }

    @BesideOthers
    default void the_other_services_run_as_printed() throws Exception {
        create("hello-pods.yaml");
        create("hello-service.yaml");
        create("hello-service2.yaml");
        bench().run("create namespace dev");
        bench().run("create deployment nginx-pod --image=nginx -n dev");
        for (String service :
                List.of("service-headliness.yaml", "service-nodeport.yaml", "service-externalname.yaml")) {
            create(service);
        }
        bench().run("run my-app --image=fairlead/echo --port=9376 --labels=app=MyApp");
        create("my-service.yaml");
        createForm();
        checkHello("HelloService", 12345);
        checkHello("HelloService2", 23456);
        Workbench.soon(() -> assertThat(bench().podsBehind("my-service", 80)).isEqualTo(Set.of("my-app")));
        Workbench.soon(() -> assertThat(behindNodePort(30002)).allMatch(pod -> pod.contains("nginx-pod")));
        Workbench.soon(() -> assertThat(behindNodePort(31122)).isEqualTo(Set.of("filled-in")));
        assertThat(bench().run("describe service service-nodeport -n dev")).contains("NodePort:", "30002/TCP");
        assertThat(bench().field("service service-headliness -n dev", ".spec.clusterIP"))
                .isEqualTo("None");
    }

    private void checkHello(String service, int port) {
        Workbench.soon(() ->
                assertThat(bench().podsBehind(service, port)).hasSize(2).allMatch(pod -> pod.contains("hello-pods")));
    }

    private Set<String> behindNodePort(int port) throws Exception {
        IpPort door = new IpPort(bench().cluster().nodeIps().getFirst(), port);
        return bench().podsBehind(bench().cluster().outside(), door);
    }

    /// `service.yaml` is a form: as printed it has a node port and no type, which the API refuses.
    private void createForm() throws Exception {
        Path form = DOCUMENTS.resolve("service.yaml");
        assertThat(bench().kubectl().refusal("create --validate=false -f " + form))
                .contains("spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'");
        bench().create(Files.readString(form)
                .replace("type: #", "type: NodePort #")
                .replace("clusterIP:  #", "#")
                .replace("sessionAffinity: #", "sessionAffinity: None #"));
        bench().run("run filled-in --image=fairlead/echo --port=5003 --labels=app=nginx -n dev");
    }

    /// Its addresses are of its author's machine; here two of the same outside of the cluster have them.
    @BesideOthers
    default void the_endpoints_by_hand_lead_where_they_say() throws Exception {
        NetworkNamespace outside = bench().cluster().outside();
        List<Ip> addresses = List.of(Ip.parse("172.17.0.5"), Ip.parse("172.17.0.6"));
        inside(
                NetworkNamespace.find(bench().cluster().name()).orElseThrow(),
                route -> route.replaceRoute(
                        new Route(Cidr.parse("172.17.0.0/24"), List.of(AddressPlan.IPV4.client()), "client")));
        inside(outside, route -> addresses.forEach(ip -> route.addAddress("lo", ip, 32)));
        List<HttpServer> servers =
                addresses.stream().map(ip -> outside.call(() -> serve(ip))).toList();
        try {
            bench().run("create namespace by-hand");
            bench().create("""
                apiVersion: v1
                kind: Service
                metadata: {name: svc-echoserver, namespace: by-hand}
                spec: {ports: [{port: 80}]}
                """);
            create("endpoint-echoserver.yml", " -n by-hand");
            Workbench.soon(() -> assertThat(bench().podsBehind("svc-echoserver -n by-hand", 80))
                    .containsExactlyInAnyOrder("172.17.0.5", "172.17.0.6"));
        } finally {
            servers.forEach(server -> server.stop(0));
        }
    }

    /// Answers as a pod does.
    private static HttpServer serve(Ip ip) throws java.io.IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(ip.toString(), 80), 50);
        server.createContext("/", exchange -> {
            byte[] body = "pod: %s\n".formatted(ip).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void inside(NetworkNamespace namespace, Consumer<RouteSocket> change) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                change.accept(route);
            }
        });
    }
}
