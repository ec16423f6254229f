package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.IpPort;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import io.fairlead.zone.Name;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;

/// What is asked upstream, and how much of it.
@RequiresRoot
final class UpstreamCareIT {
    private static final IpPort FIRST = IpPort.parse("127.0.0.1:5301");
    private static final IpPort SECOND = IpPort.parse("127.0.0.1:5302");

    private static final Snapshot CLUSTER = Snapshot.EMPTY
            .with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: shop, name: cart}, spec: {clusterIP: 10.96.0.20, ports: [{port: 80}]}}
                """).getFirst()))
            .with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: hello}, spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}}
                """).getFirst()))
            .with(Pod.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: client}, spec: {nodeName: a},
                 status: {phase: Running, podIPs: [{ip: 127.0.0.1}]}}
                """).getFirst()));

    @Test
    void letters_are_large_and_small_by_chance_and_an_answer_that_has_them_otherwise_does_not_count() throws Exception {
        Function<Message, Message> right = Answers.of("alphabetical.example.org. 60 IN A 192.0.2.1");
        UnaryOperator<DnsConfig> mixed = config -> config.withUpstream(UpstreamSettings.DEFAULT.withMixedCase(true));
        try (FakeUpstream upstream = new FakeUpstream(5301, right);
                RunningServer _ = serving(mixed, FIRST)) {
            assertThat(dig("alphabetical.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(upstream.asked()).singleElement().asString().isNotEqualTo("alphabetical.example.org.");
        }
        try (FakeUpstream _ = new FakeUpstream(5301, Answers.inSmallLetters(right));
                RunningServer _ = serving(mixed, FIRST)) {
            assertThat(status("alphabetical.example.org")).isEqualTo("SERVFAIL");
        }
    }

    @Test
    void a_client_that_asks_too_much_of_upstream_is_refused_and_has_cluster_names_still() throws Exception {
        UnaryOperator<DnsConfig> few = config -> config.withUpstream(UpstreamSettings.DEFAULT.withPerClient(1))
                .withCache(CacheSettings.DEFAULT.withCapacity(0));
        try (FakeUpstream upstream = new FakeUpstream(5301, Answers.of("www.example.org. 60 IN A 192.0.2.1"));
                RunningServer _ = serving(few, FIRST)) {
            List<String> codes =
                    List.of(status("www.example.org"), status("www.example.org"), status("www.example.org"));
            assertThat(codes).contains("NOERROR", "REFUSED");
            assertThat(upstream.asked()).hasSizeLessThan(3);
            assertThat(dig("hello.default.svc.cluster.local")).isEqualTo("10.96.0.10\n");
        }
    }

    @Test
    void so_many_questions_wait_at_once_and_what_is_more_is_refused() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Function<Message, Message> slow = question -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return Answers.of("www.example.org. 60 IN A 192.0.2.1").apply(question);
        };
        UnaryOperator<DnsConfig> one = config -> config.withUpstream(UpstreamSettings.DEFAULT.withMaxConcurrent(1));
        try (FakeUpstream _ = new FakeUpstream(5301, slow);
                RunningServer _ = serving(one, FIRST)) {
            // The search for loops is the one that waits.
            assertThat(status("www.example.org")).isEqualTo("REFUSED");
            assertThat(dig("hello.default.svc.cluster.local")).isEqualTo("10.96.0.10\n");
            go.countDown();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> status("www.example.org").equals("NOERROR"));
        }
    }

    @Test
    void an_upstream_that_leads_back_to_us_is_found_and_asked_no_more() throws Exception {
        try (RunningServer _ = serving(config -> config, RunningServer.ADDRESS)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                long start = System.nanoTime();
                String code = status("www.example.org");
                return code.equals("SERVFAIL") && System.nanoTime() - start < 1_000_000_000L;
            });
            assertThat(dig("hello.default.svc.cluster.local")).isEqualTo("10.96.0.10\n");
        }
    }

    @Test
    void a_name_that_is_asked_for_often_is_fetched_anew_before_it_ends() throws Exception {
        UnaryOperator<DnsConfig> eager = config -> config.withCache(CacheSettings.DEFAULT.withPrefetch(2));
        try (FakeUpstream upstream = new FakeUpstream(5301, Answers.of("www.example.org. 10 IN A 192.0.2.1"));
                RunningServer _ = serving(eager, FIRST)) {
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
                        return upstream.asked().size() > 1;
                    });
        }
    }

    @Test
    void a_server_that_is_silent_is_asked_after_those_that_answer() throws Exception {
        UnaryOperator<DnsConfig> unkept = config -> config.withCache(CacheSettings.DEFAULT.withCapacity(0));
        try (FakeUpstream second = new FakeUpstream(5302, Answers.of("www.example.org. 1 IN A 192.0.2.1"));
                RunningServer _ = serving(unkept, FIRST, SECOND)) {
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(page("/metrics"))
                    .contains("fairlead_dns_upstream_failures{zone=\".\",to=\"127.0.0.1:5302\"} 0")
                    .doesNotContain("fairlead_dns_upstream_failures{zone=\".\",to=\"127.0.0.1:5301\"} 0");
            long start = System.nanoTime();
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(System.nanoTime() - start)
                    .as("without the patience for the other")
                    .isLessThan(1_400_000_000L);
            assertThat(second.asked()).hasSize(2);
        }
    }

    @Test
    void a_pod_gets_in_one_question_what_its_search_path_leads_to() throws Exception {
        UnaryOperator<DnsConfig> walking =
                config -> config.withSearch(new SearchPath(true, List.of(Name.of("corp.example"))));
        try (FakeUpstream upstream = new FakeUpstream(5301, Answers.orNone("www.example.org. 60 IN A 192.0.2.1"));
                RunningServer _ = serving(walking, FIRST)) {
            assertThat(dig("cart.shop.default.svc.cluster.local"))
                    .isEqualTo("cart.shop.svc.cluster.local.\n10.96.0.20\n");
            assertThat(dig("www.example.org.default.svc.cluster.local")).isEqualTo("www.example.org.\n192.0.2.1\n");
            assertThat(upstream.asked()).containsExactly("www.example.org.corp.example.", "www.example.org.");
            assertThat(Shell.run("dig", "+tries=1", "@127.0.0.1", "nothing.default.svc.cluster.local"))
                    .contains("status: NXDOMAIN", "SOA\tns.dns.cluster.local.");
            assertThat(status("cart.shop.other.svc.cluster.local"))
                    .as("no search of this pod's")
                    .isEqualTo("NXDOMAIN");
        }
    }

    @Test
    void another_configuration_counts_from_the_next_question_on_and_keeps_the_sockets() throws Exception {
        try (FakeUpstream _ = new FakeUpstream(5301, Answers.of("a.corp. 60 IN A 192.0.2.2"));
                RunningServer server = serving(config -> config)) {
            assertThat(status("a.corp")).isEqualTo("REFUSED");
            server.change(config -> config.withForwards(List.of(new Forward(Name.of("corp"), List.of(FIRST))))
                    .withZone(config.zone().withTtl(30)));
            assertThat(dig("a.corp")).isEqualTo("192.0.2.2\n");
            assertThat(Shell.run("dig", "+noall", "+answer", "@127.0.0.1", "hello.default.svc.cluster.local"))
                    .containsPattern("\\s30\\s+IN\\s+A\\s+10.96.0.10");
        }
    }

    @Test
    void a_server_that_leaves_answers_on_and_is_not_ready() throws Exception {
        try (RunningServer server = serving(config -> config)) {
            assertThat(code("/ready")).isEqualTo("200");
            server.leave();
            await().atMost(Duration.ofSeconds(30)).until(() -> code("/ready").equals("503"));
            assertThat(code("/health")).isEqualTo("200");
            assertThat(dig("hello.default.svc.cluster.local")).isEqualTo("10.96.0.10\n");
        }
    }

    @Test
    void questions_are_logged_for_a_while_when_this_machine_asks_for_it() throws Exception {
        try (RunningServer _ = serving(config -> config)) {
            assertThat(code("/log?seconds=5")).isEqualTo("400");
            assertThat(Shell.run("curl", "-s", "-X", "POST", "http://127.0.0.1:9153/log?seconds=60"))
                    .isEqualTo("OK\n");
            try (LogLines lines = new LogLines("io.fairlead.resolver.queries")) {
                dig("hello.default.svc.cluster.local");
                assertThat(lines.texts())
                        .anyMatch(line -> line.contains("name=hello.default.svc.cluster.local. type=A code=NOERROR"));
                Shell.run("curl", "-s", "-X", "POST", "http://127.0.0.1:9153/log?seconds=0");
                int before = lines.texts().size();
                dig("hello.default.svc.cluster.local");
                assertThat(lines.texts()).hasSize(before);
            }
        }
    }

    private static RunningServer serving(UnaryOperator<DnsConfig> setUp, IpPort... upstream)
            throws InterruptedException {
        RunningServer server = new RunningServer(config -> setUp.apply(
                upstream.length == 0
                        ? config
                        : config.withForwards(List.of(new Forward(Name.ROOT, List.of(upstream))))));
        server.show(CLUSTER);
        return server;
    }

    private static String dig(String name) {
        return Shell.run("dig", "+tries=1", "+time=8", "+short", "@127.0.0.1", name, "A");
    }

    private static String status(String name) {
        return Shell.run("dig", "+tries=1", "+time=8", "@127.0.0.1", name, "A")
                .replaceAll("(?s).*status: (\\w+),.*", "$1");
    }

    private static String page(String path) {
        return Shell.run("curl", "-s", "http://127.0.0.1:9153" + path);
    }

    private static String code(String path) {
        return Shell.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:9153" + path);
    }
}
