package io.fairlead.http;

import static io.fairlead.http.ServiceClient.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Writes to the status and to the spec keep off each other, and what a Service had is free when it is gone (A14, A17).
@Timeout(60)
final class ServiceStatusTest {
    private static TestServer server;
    private static ServiceClient services;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start();
        services = new ServiceClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void a_write_to_one_never_changes_the_other() throws Exception {
        services.create("lb", "{type: LoadBalancer, ports: [{port: 80}]}");

        var status = services.patchStatus(
                "lb", "{spec: {sessionAffinity: ClientIP}, status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}}");
        assertThat(status.text("spec", "sessionAffinity")).isEqualTo("None");
        var ingress = status.body()
                .path("status")
                .path("loadBalancer")
                .path("ingress")
                .path(0);
        assertThat(ingress.path("ipMode").asString()).isEqualTo("VIP");

        var spec = server.merge(SERVICES + "/lb", "{\"spec\":{\"sessionAffinity\":\"ClientIP\"},\"status\":null}");
        assertThat(spec.body()
                        .path("status")
                        .path("loadBalancer")
                        .path("ingress")
                        .path(0))
                .isEqualTo(ingress);
    }

    @Test
    void a_status_is_checked() throws Exception {
        services.create("checked", "{type: LoadBalancer, ports: [{port: 80}]}");
        services.create("plain", "{ports: [{port: 80}]}");

        assertThat(services.patchStatus("checked", "{status: {loadBalancer: {ingress: [{ip: nowhere}]}}}")
                        .message())
                .contains("status.loadBalancer.ingress[0].ip: Invalid value: \"nowhere\"");
        assertThat(services.patchStatus("plain", "{status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}}")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void the_last_finalizer_gives_back_all_that_the_service_had_through_the_status_too() throws Exception {
        var made = services.post(
                SERVICES,
                "{metadata: {name: held, finalizers: [service.kubernetes.io/load-balancer-cleanup]},"
                        + " spec: {type: LoadBalancer, ports: [{port: 80, nodePort: 30033}]}}");
        String address = made.text("spec", "clusterIP");
        services.delete("held");
        assertThat(services.get("held").text("metadata", "deletionTimestamp")).isNotEmpty();
        assertThat(services.addresses()).contains(address);

        assertThat(services.patchStatus("held", "{metadata: {finalizers: null}}")
                        .code())
                .isEqualTo(200);

        assertThat(services.get("held").code()).isEqualTo(404);
        assertThat(services.addresses()).doesNotContain(address);
        assertThat(services.create(
                                "heir",
                                "{type: NodePort, clusterIP: " + address + ", ports: [{port: 80, nodePort: 30033}]}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void a_dry_run_takes_nothing() throws Exception {
        String spec = "{type: NodePort, clusterIP: 10.96.0.77, ports: [{port: 80, nodePort: 30034}]}";
        var dry = services.post(SERVICES + "?dryRun=All", "{metadata: {name: dry}, spec: " + spec + "}");
        assertThat(dry.code()).isEqualTo(201);
        assertThat(dry.text("spec", "clusterIP")).isEqualTo("10.96.0.77");

        assertThat(services.addresses()).doesNotContain("10.96.0.77");
        assertThat(services.create("wet", spec).code()).isEqualTo(201);
        var clash = services.post(SERVICES + "?dryRun=All", "{metadata: {name: dry}, spec: " + spec + "}");
        assertThat(clash.message()).contains("provided IP is already allocated");
    }

    @Test
    void the_endpoints_of_its_name_go_with_a_service() throws Exception {
        services.create("pair", "{ports: [{port: 80}]}");
        var endpoints = services.post("/api/v1/namespaces/default/endpoints", "{metadata: {name: pair}}");
        assertThat(endpoints.warnings()).anyMatch(warning -> warning.contains("v1 Endpoints is deprecated in v1.33+"));

        services.delete("pair");

        assertThat(server.get("/api/v1/namespaces/default/endpoints/pair").code())
                .isEqualTo(404);
    }
}
