package io.fairlead.http;

import static io.fairlead.http.Bodies.yaml;

import io.fairlead.api.Json;
import java.io.IOException;
import java.util.List;

/// Writes Services to a server, each as the short YAML of its spec.
record ServiceClient(TestServer server) {
    static final String SERVICES = "/api/v1/namespaces/default/services";
    static final String ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

    TestServer.Reply create(String name, String spec) throws IOException, InterruptedException {
        return post(SERVICES, "{metadata: {name: " + name + "}, spec: " + spec + "}");
    }

    TestServer.Reply post(String path, String object) throws IOException, InterruptedException {
        return server.post(path, yaml(object).toString());
    }

    /// Merges fields into the spec.
    TestServer.Reply patch(String name, String spec) throws IOException, InterruptedException {
        return server.merge(SERVICES + "/" + name, yaml("{spec: " + spec + "}").toString());
    }

    TestServer.Reply patchStatus(String name, String object) throws IOException, InterruptedException {
        return server.merge(SERVICES + "/" + name + "/status", yaml(object).toString());
    }

    TestServer.Reply get(String name) throws IOException, InterruptedException {
        return server.get(SERVICES + "/" + name);
    }

    TestServer.Reply delete(String name) throws IOException, InterruptedException {
        return server.delete(SERVICES + "/" + name);
    }

    /// The names of all IPAddress objects.
    List<String> addresses() throws IOException, InterruptedException {
        return server.get(ADDRESSES).names();
    }

    static int nodePort(TestServer.Reply service, int port) {
        return Json.number(service.body().path("spec").path("ports").path(port), 0, "nodePort");
    }

    static List<String> clusterIps(TestServer.Reply service) {
        return Json.texts(service.body(), "spec", "clusterIPs");
    }
}
