package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Frontend;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ProxyTest {
    private static final IpPort ANY_PORT = IpPort.parse("127.0.0.1:0");

    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.parse("2026-01-31T12:00:00Z"));
    private final MemoryKernel kernel = new MemoryKernel();
    private final Latest<Snapshot> snapshots = new Latest<>();
    private final TaskGroup tasks = new TaskGroup("test");
    private final HttpClient http = HttpClient.newHttpClient();
    private final Proxy proxy = new Proxy(
            new ProxyConfig("memory", TestCluster.NODE, ANY_PORT, ANY_PORT),
            new Modes((_, _) -> new MemoryBackend(kernel), List.of(), TestCluster.NODE, TestCluster.MEMORY),
            time::get);
    private final Proxy.Addresses addresses = proxy.run(snapshots, tasks);
    private final IpPort health = addresses.health().orElseThrow();
    private final IpPort metrics = addresses.metrics().orElseThrow();

    @AfterEach
    void stop() {
        tasks.close();
        proxy.close();
        http.close();
    }

    @Test
    void health_turns_bad_while_the_kernel_refuses_and_good_again_after() throws Exception {
        assertThat(get(health, "/healthz").statusCode()).isEqualTo(200);
        kernel.refuse(Integer.MAX_VALUE);
        snapshots.offer(TestCluster.withPod(1));
        await().until(() -> metric("kubeproxy_sync_proxy_rules_sync_failures_total{ip_family=\"IPv4\"}") >= 1);
        assertThat(get(health, "/healthz").statusCode()).isEqualTo(200);

        time.updateAndGet(now -> now.plus(Duration.ofSeconds(61)));
        assertThat(get(health, "/healthz").statusCode()).isEqualTo(503);
        assertThat(get(health, "/livez").statusCode()).isEqualTo(503);
        assertThat(get(health, "/healthz").body()).contains("\"healthy\" : false");

        kernel.refuse(0);
        await().until(() -> get(health, "/healthz").statusCode() == 200);
        assertThat(get(health, "/livez").statusCode()).isEqualTo(200);
        assertThat(metric("kubeproxy_proxy_healthz_total{code=\"503\"}")).isGreaterThanOrEqualTo(2);
    }

    @Test
    void a_node_that_is_about_to_go_is_not_for_load_balancers_but_need_not_be_restarted() throws Exception {
        Snapshot cluster = TestCluster.withPod(1);
        snapshots.offer(cluster.with(node("")));
        awaitRounds(1);
        assertThat(get(health, "/healthz").statusCode()).isEqualTo(200);

        snapshots.offer(cluster.with(node("spec: {taints: [{key: ToBeDeletedByClusterAutoscaler}]}")));
        await().until(() -> get(health, "/healthz").statusCode() == 503);
        assertThat(get(health, "/healthz").body())
                .contains("\"nodeEligible\" : false")
                .contains("\"healthy\" : true");
        assertThat(get(health, "/livez").statusCode()).isEqualTo(200);
        assertThat(indicator("kubernetes_healthcheck{name=\"sync\",type=\"healthz\"}"))
                .isZero();
        assertThat(indicator("kubernetes_healthcheck{name=\"sync\",type=\"livez\"}"))
                .isEqualTo(1);
        assertThat(indicator("kubernetes_healthchecks_total{name=\"sync\",status=\"error\",type=\"healthz\"}"))
                .isPositive();

        snapshots.offer(cluster.with(node("")));
        await().until(() -> get(health, "/healthz").statusCode() == 200);
    }

    private static Node node(String rest) {
        return Node.of(Yaml.parseAll("metadata: {name: %s}\n%s".formatted(TestCluster.NODE.name(), rest))
                .getFirst());
    }

    @Test
    void the_configuration_can_be_asked_for() throws Exception {
        HttpResponse<String> answer = get(metrics, "/configz");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonNode shown = Json.parse(answer.body()).path("kubeproxy.config.k8s.io");
        assertThat(Json.text(shown, "mode")).isEqualTo("memory");
        assertThat(Json.text(shown, "hostnameOverride")).isEqualTo(TestCluster.NODE.name());
    }

    @Test
    void metrics_bear_the_names_of_kube_proxy() throws Exception {
        snapshots.offer(TestCluster.withPod(1));
        awaitRounds(1);
        assertThat(metric("kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family=\"IPv4\"}"))
                .isEqualTo((double) time.get().getEpochSecond());
        assertThat(metric("kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds{ip_family=\"IPv4\"}"))
                .isEqualTo((double) time.get().getEpochSecond());
        assertThat(metric("kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family=\"IPv4\"}"))
                .isZero();
        assertThat(metric("fairlead_program_entries")).isEqualTo(3);

        time.updateAndGet(start -> start.plusSeconds(4));
        snapshots.offer(TestCluster.withPod(2, time.get().minusSeconds(4).toString()));
        awaitRounds(2);
        assertThat(metric("kubeproxy_network_programming_duration_seconds_count{ip_family=\"IPv6\"}"))
                .isEqualTo(1);
        assertThat(metric("kubeproxy_network_programming_duration_seconds_sum{ip_family=\"IPv6\"}"))
                .isEqualTo(4);
    }

    @Test
    void connections_are_counted_for_each_service_and_endpoint_and_never_go_back() throws Exception {
        Frontend vip = new Frontend.VirtualAddress(Ip.parse("10.96.0.10"), Protocol.TCP, 80);
        String service =
                "fairlead_service_connections_total{name=\"web\",namespace=\"default\",port=\"http\",protocol=\"tcp\"}";
        snapshots.offer(TestCluster.withPod(1));
        awaitRounds(1);
        kernel.connect(vip, IpPort.parse("10.244.1.1:8080"), 3);
        assertThat(metric(service)).isEqualTo(3);
        assertThat(metric("fairlead_endpoint_connections_total{endpoint=\"10.244.1.1:8080\",name=\"web\","
                        + "namespace=\"default\",port=\"http\",protocol=\"tcp\"}"))
                .isEqualTo(3);

        snapshots.offer(TestCluster.withPod(2));
        awaitRounds(2);
        assertThat(metric(service))
                .as("the entry was replaced, and its counter with it")
                .isEqualTo(3);
        kernel.connect(vip, IpPort.parse("10.244.1.2:8080"), 2);
        assertThat(metric(service)).isEqualTo(5);
    }

    @Test
    void a_dump_shows_what_stands_in_the_kernel() throws Exception {
        assertThat(get(metrics, "/dump").body()).isEqualTo("# nothing is programmed yet\n");
        snapshots.offer(TestCluster.withPod(1));
        awaitRounds(1);
        assertThat(get(metrics, "/dump").body()).isEqualTo("""
            # synced 2026-01-31T12:00:00Z at revision 0
            # forwarding table, 1 services
            10.96.0.10:80/tcp  default/web:http  masquerade=never
                10.244.1.1:8080 local

            # memory program, 3 entries
            door Forwarding[frontend=10.96.0.10:80/tcp, service=default/web:http, verdicts=Verdicts[others=SendTo[targets=[10.244.1.1:8080 local]], inside=SendTo[targets=[10.244.1.1:8080 local]]], balance=Balance[affinity=None[], scheduler=node-default, drain=Optional.empty], passage=SourcePolicy[sources=all, masquerade=never], traits=AddressTraits[refusesOtherPorts=true, inServiceNetwork=true, staysOnNode=false]]
            hairpin 10.244.1.1
            switch on
            """);
    }

    @Test
    void an_address_that_is_taken_is_tried_again_unless_it_must_be_had() throws Exception {
        ProxyConfig config = new ProxyConfig("memory", TestCluster.NODE, health, ANY_PORT);
        try (TaskGroup group = new TaskGroup("second")) {
            IpPort other = second(config).run(new Latest<>(), group).metrics().orElseThrow();
            assertThat(get(other, "/proxyMode").body()).as("the rest runs").isEqualTo("memory");

            ProxyConfig hard =
                    new ProxyConfig("memory", TestCluster.NODE, Optional.of(health), Optional.of(ANY_PORT), true);
            assertThatExceptionOfType(ProxyException.class)
                    .isThrownBy(() -> second(hard).run(new Latest<>(), group))
                    .withMessageStartingWith("cannot listen on " + health);

            tasks.close();
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> get(health, "/livez").statusCode() == 200);
        }
    }

    @Test
    void a_server_without_an_address_is_left_out_and_the_other_answers() throws Exception {
        try (TaskGroup group = new TaskGroup("second")) {
            Proxy.Addresses silent =
                    second(withServers(Optional.empty(), Optional.empty())).run(new Latest<>(), group);
            assertThat(silent).isEqualTo(new Proxy.Addresses(Optional.empty(), Optional.empty()));

            Proxy.Addresses half =
                    second(withServers(Optional.of(ANY_PORT), Optional.empty())).run(new Latest<>(), group);
            assertThat(half.metrics()).isEmpty();
            assertThat(get(half.health().orElseThrow(), "/livez").statusCode()).isEqualTo(200);
        }
    }

    private static ProxyConfig withServers(Optional<IpPort> health, Optional<IpPort> metrics) {
        return new ProxyConfig("memory", TestCluster.NODE, health, metrics, false);
    }

    private Proxy second(ProxyConfig config) {
        Modes modes = new Modes((_, _) -> new MemoryBackend(kernel), List.of(), TestCluster.NODE, TestCluster.MEMORY);
        return new Proxy(config, modes, time::get);
    }

    @Test
    void the_mode_can_be_asked_for() throws Exception {
        assertThat(get(metrics, "/proxyMode").body()).isEqualTo("memory");
    }

    @Test
    void other_paths_and_verbs_are_refused() throws Exception {
        assertThat(get(health, "/").statusCode()).isEqualTo(404);
        assertThat(get(health, "/healthz/more").statusCode()).isEqualTo(404);
        assertThat(get(health, "/metrics").statusCode())
                .as("metrics are for this machine alone")
                .isEqualTo(404);
        HttpRequest post = HttpRequest.newBuilder(uri(health, "/healthz"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(http.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(405);
    }

    private void awaitRounds(int rounds) {
        await().until(() -> metric("kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family=\"IPv4\"}") >= rounds);
    }

    private double metric(String name) throws IOException, InterruptedException {
        return metric("/metrics", name);
    }

    private double indicator(String name) throws IOException, InterruptedException {
        return metric("/metrics/slis", name);
    }

    private double metric(String page, String name) throws IOException, InterruptedException {
        return get(metrics, page)
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1.0);
    }

    private HttpResponse<String> get(IpPort address, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(address, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(IpPort address, String path) {
        return URI.create("http://" + address + path);
    }

    @Test
    void a_task_of_the_program_that_failed_is_named_until_it_works_again() throws Exception {
        CountDownLatch repaired = new CountDownLatch(1);
        TaskGroup others = new TaskGroup("dns");
        proxy.tellOf(others.faults());
        tasks.keep("announce", () -> work(repaired));
        others.keep("zone", () -> work(repaired));
        try (others) {
            for (String page : List.of("/livez", "/readyz")) {
                await().untilAsserted(() -> assertThat(get(health, page).body()).contains("announce", "zone"));
                assertThat(get(health, page).statusCode()).isEqualTo(503);
            }
            assertThat(get(health, "/healthz").statusCode())
                    .as("the kernel leads connections all the same")
                    .isEqualTo(200);
            assertThat(metric("fairlead_task_failing{task=\"announce\"}")).isEqualTo(1);
            assertThat(metric("fairlead_task_failures_total{task=\"zone\"}")).isPositive();
            repaired.countDown();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> get(health, "/livez").statusCode() == 200);
        }
    }

    private static void work(CountDownLatch repaired) throws InterruptedException {
        if (repaired.getCount() > 0) {
            throw new IllegalStateException("broken");
        }
        new CountDownLatch(1).await();
    }
}
