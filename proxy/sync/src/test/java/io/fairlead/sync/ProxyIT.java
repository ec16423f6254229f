package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Lifetime;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.kernel.Command;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.RequiresRoot;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every mode on the real kernel, in the network namespace that the JVM of integration tests has for itself.
@RequiresRoot
final class ProxyIT {
    /// Those that every build machine can run as it is: ipvs is for the guest, ebpf needs a control group of its own.
    static final List<String> MODES = List.of("nftables", "iptables");

    static final List<String> DURABLE =
            MODES.stream().filter(ProxyIT::outlivesItsProcess).toList();

    private static final IpPort ANY_PORT = IpPort.parse("127.0.0.1:0");

    @BeforeEach
    void be_alone() throws IOException {
        assertThat(Files.readAllLines(Path.of("/proc/net/route")))
                .as("this test programs the namespace it runs in; Maven gives it one of its own, without a way out")
                .hasSizeLessThanOrEqualTo(1);
    }

    @AfterEach
    void leave_nothing() {
        MODES.forEach(mode -> clear(open(mode)));
        clear(IptablesBackend.open(TestCluster.NODE, Variant.LEGACY));
        Command.run(List.of("iptables-legacy", "-t", "nat", "-D", "PREROUTING", "-j", "OTHERS"), "");
        Command.run(List.of("iptables-legacy", "-t", "nat", "-X", "OTHERS"), "");
    }

    private static boolean outlivesItsProcess(String mode) {
        try (Backend<?> backend = open(mode)) {
            return backend.abilities().lifetime() == Lifetime.DURABLE;
        }
    }

    @Test
    void a_relay_takes_its_rules_along_when_it_ends() {
        runUntilProgrammed("userspace", TestCluster.withPod(1));
        assertThat(observed("userspace")).isEmpty();
        assertThat(Command.run(List.of("nft", "list", "tables"), "").output()).doesNotContain("userspace");
    }

    @ParameterizedTest
    @FieldSource("DURABLE")
    void a_proxy_programs_the_kernel_and_what_it_programmed_outlives_it(String mode) {
        runUntilProgrammed(mode, TestCluster.withPod(1));
        assertThat(observed(mode)).isEqualTo(wanted(mode, TestCluster.withPod(1)));

        runUntilProgrammed(mode, TestCluster.withPod(2));
        assertThat(observed(mode)).isEqualTo(wanted(mode, TestCluster.withPod(2)));
    }

    @Test
    void what_any_mode_and_kube_proxy_left_is_cleaned_up() {
        MODES.forEach(mode -> runUntilProgrammed(mode, TestCluster.withPod(1)));
        Stream.of("ip", "ip6")
                .forEach(family -> assertThat(Command.run(List.of("nft", "add", "table", family, "kube-proxy"), "")
                                .errors())
                        .isEmpty());

        ProxyCleanup.Report report = ProxyCleanup.removeAll();

        assertThat(report.failed()).isEmpty();
        assertThat(report.removed())
                .contains("mode nftables", "kube-proxy's mode nftables")
                .hasSize(3);
        MODES.forEach(mode -> assertThat(observed(mode)).isEmpty());
        assertThat(Command.run(List.of("nft", "list", "tables"), "").output()).doesNotContain("kube-proxy");
        assertThat(ProxyCleanup.removeAll().removed()).isEmpty();
    }

    /// As kube-proxy leaves it, with a chain in a place where ours has none.
    private static final String KUBE_PROXY = """
        *filter
        :KUBE-NODEPORTS - [0:0]
        :KUBE-FORWARD - [0:0]
        -A INPUT -m comment --comment "kubernetes health check service ports" -j KUBE-NODEPORTS
        -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
        -A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
        COMMIT
        *nat
        :KUBE-SERVICES - [0:0]
        :KUBE-SVC-ERIFXISQEP7F7OF4 - [0:0]
        -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
        -A KUBE-SERVICES -d fd00:96::a/128 -p tcp -m tcp --dport 53 -j KUBE-SVC-ERIFXISQEP7F7OF4
        COMMIT
        *mangle
        :KUBE-PROXY-CANARY - [0:0]
        COMMIT
        """;

    @Test
    void what_we_left_in_the_old_packet_filter_is_cleaned_up() {
        leaveInTheOldFilter(TestCluster.withPod(1));
        checkCleanupOfTheOldFilter();
    }

    @Test
    void what_kube_proxy_left_in_the_old_packet_filter_is_cleaned_up() {
        iptables("ip6tables-legacy-restore --noflush", KUBE_PROXY);
        checkCleanupOfTheOldFilter();
    }

    private static void checkCleanupOfTheOldFilter() {
        iptables("iptables-legacy -t nat -N OTHERS", "");
        iptables("iptables-legacy -t nat -A PREROUTING -j OTHERS", "");

        ProxyCleanup.Report report = ProxyCleanup.removeAll();

        assertThat(report.failed()).isEmpty();
        assertThat(report.removed()).containsExactly("mode iptables (legacy)");
        assertThat(iptables("iptables-legacy-save", ""))
                .as("what others have there stays")
                .contains(":OTHERS", "-A PREROUTING -j OTHERS")
                .doesNotContain("KUBE-");
        assertThat(iptables("ip6tables-legacy-save", "")).doesNotContain("KUBE-");
        assertThat(ProxyCleanup.removeAll().removed()).isEmpty();
    }

    private static void leaveInTheOldFilter(Snapshot snapshot) {
        try (IptablesBackend backend = IptablesBackend.open(TestCluster.NODE, Variant.LEGACY)) {
            backend.apply(Patch.between(
                    backend.observe(), Program.of(backend.compiler(), ForwardingTable.of(snapshot, TestCluster.NODE))));
        }
        assertThat(iptables("iptables-legacy-save", "")).contains("KUBE-SVC-");
    }

    private static String iptables(String command, String input) {
        Command.Result result = Command.run(List.of(command.split(" ", -1)), input);
        assertThat(result.succeeded()).as(result.errors()).isTrue();
        return result.output();
    }

    @Test
    void the_mode_auto_is_the_first_that_this_kernel_can_run() {
        assertThat(ModeChoice.auto(TestCluster.NODE))
                .isEqualTo(new ModeChoice("nftables", "nftables is the first choice, and this machine can run it"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-t nat -F", "-F", "-t nat -F PREROUTING"})
    void what_another_program_flushed_in_the_mode_iptables_is_there_again(String flush) {
        ProxyConfig config = new ProxyConfig("iptables", TestCluster.NODE, ANY_PORT, ANY_PORT);
        try (Proxy proxy = Proxy.open(config);
                TaskGroup tasks = new TaskGroup("proxy")) {
            Latest<Snapshot> snapshots = new Latest<>();
            proxy.run(snapshots, tasks);
            snapshots.offer(TestCluster.withPod(1));
            await().until(() -> proxy.dump().contains("default/web:http"));
            List<String> command = new ArrayList<>(List.of("iptables", "-w"));
            command.addAll(List.of(flush.split(" ", -1)));

            assertThat(Command.run(command, "").errors()).isEmpty();

            String wanted = wanted("iptables", TestCluster.withPod(1));
            await().untilAsserted(() -> assertThat(observed("iptables")).isEqualTo(wanted));
        }
    }

    /// What kube-proxy 1.36 tells in every mode, with the labels it has.
    private static final List<String> NAMES = List.of(
            "kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family=\"IPv4\"}",
            "kubeproxy_sync_full_proxy_rules_duration_seconds_count{ip_family=\"IPv4\"}",
            "kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family=\"IPv6\"}",
            "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds{ip_family=\"IPv6\"}",
            "kubeproxy_sync_proxy_rules_endpoint_changes_pending",
            "kubeproxy_sync_proxy_rules_endpoint_changes_total",
            "kubeproxy_sync_proxy_rules_service_changes_pending",
            "kubeproxy_sync_proxy_rules_service_changes_total",
            "kubeproxy_sync_proxy_rules_iptables_restore_failures_total{ip_family=\"IPv4\"}",
            "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total{ip_family=\"IPv4\"}",
            "kubeproxy_sync_proxy_rules_nftables_sync_failures_total{ip_family=\"IPv6\"}",
            "kubeproxy_sync_proxy_rules_nftables_cleanup_failures_total{ip_family=\"IPv4\"}",
            "kubeproxy_sync_proxy_rules_no_local_endpoints_total{ip_family=\"IPv4\",traffic_policy=\"internal\"}",
            "kubeproxy_sync_proxy_rules_no_local_endpoints_total{ip_family=\"IPv6\",traffic_policy=\"external\"}",
            "kubeproxy_conntrack_reconciler_deleted_entries_total{ip_family=\"IPv4\"}",
            "kubeproxy_proxy_healthz_total{code=\"200\"}",
            "kubeproxy_proxy_livez_total{code=\"503\"}");

    @ParameterizedTest
    @FieldSource("MODES")
    void every_metric_of_kube_proxy_is_told(String mode) throws Exception {
        ProxyConfig config = new ProxyConfig(mode, TestCluster.NODE, ANY_PORT, ANY_PORT);
        try (Proxy proxy = Proxy.open(config);
                TaskGroup tasks = new TaskGroup("proxy")) {
            Latest<Snapshot> snapshots = new Latest<>();
            IpPort address = proxy.run(snapshots, tasks).metrics().orElseThrow();
            snapshots.offer(TestCluster.withPod(1));
            await().until(() -> proxy.dump().contains("default/web:http"));

            assertThat(page(address, "/proxyMode")).isEqualTo(mode);
            assertThat(page(address, "/configz")).contains("\"mode\" : \"%s\"".formatted(mode));
            String metrics = page(address, "/metrics");
            NAMES.forEach(name -> assertThat(metrics).contains("\n" + name + " "));
            if (mode.equals("iptables")) {
                checkRules(metrics);
            }
        }
    }

    /// Compares the metrics with what `iptables-save` prints.
    private static void checkRules(String metrics) {
        for (String table : List.of("nat", "filter")) {
            long rules = Command.run(List.of("iptables-save", "-t", table), "")
                    .output()
                    .lines()
                    .filter(line -> line.startsWith("-A ") && line.contains("KUBE-"))
                    .count();
            String labels = "{ip_family=\"IPv4\",table=\"%s\"} %d.0\n".formatted(table, rules);
            assertThat(metrics)
                    .contains("kubeproxy_sync_proxy_rules_iptables_total" + labels)
                    .contains("kubeproxy_sync_proxy_rules_iptables_last" + labels);
        }
        assertThat(metrics)
                .contains("# TYPE kubeproxy_sync_proxy_rules_iptables_total gauge\n")
                .contains("kubeproxy_iptables_ct_state_invalid_dropped_packets_total{ip_family=\"IPv4\"} 0.0\n")
                .contains("fairlead_endpoint_connections_total{endpoint=\"10.244.1.1:8080\",name=\"web\"");
    }

    private static String page(IpPort address, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static void runUntilProgrammed(String mode, Snapshot snapshot) {
        ProxyConfig config = new ProxyConfig(mode, TestCluster.NODE, ANY_PORT, ANY_PORT);
        try (Proxy proxy = Proxy.open(config);
                TaskGroup tasks = new TaskGroup("proxy")) {
            Latest<Snapshot> snapshots = new Latest<>();
            proxy.run(snapshots, tasks);
            snapshots.offer(snapshot);
            await().until(() -> proxy.dump().contains("default/web:http"));
        }
    }

    private static String observed(String mode) {
        try (Backend<?> backend = open(mode)) {
            return backend.observe().text();
        }
    }

    private static String wanted(String mode, Snapshot snapshot) {
        try (Backend<?> backend = open(mode)) {
            return Program.of(backend.compiler(), ForwardingTable.of(snapshot, TestCluster.NODE))
                    .text();
        }
    }

    private static <E extends Entry> void clear(Backend<E> backend) {
        try (backend) {
            backend.apply(Patch.between(backend.observe(), Program.of(List.of())));
        }
    }

    /// The lowest layer of a mode.
    private static Backend<?> open(String mode) {
        return ProxyModes.open(ProxyModes.named(mode).layers().getFirst(), TestCluster.NODE);
    }
}
