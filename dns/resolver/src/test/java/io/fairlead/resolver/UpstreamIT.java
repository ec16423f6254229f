package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.IpPort;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import io.fairlead.zone.Name;
import java.util.List;
import org.junit.jupiter.api.Test;

@RequiresRoot
final class UpstreamIT {
    private static final IpPort FIRST = IpPort.parse("127.0.0.1:5301");
    private static final IpPort SECOND = IpPort.parse("127.0.0.1:5302");

    private static final Snapshot CLUSTER = Snapshot.EMPTY
            .with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: hello}, spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}}
                """).getFirst()))
            .with(Service.of(Yaml.parseAll("""
                {metadata: {namespace: default, name: database}, spec: {type: ExternalName, externalName: db.example.org}}
                """).getFirst()));

    @Test
    void a_name_of_elsewhere_is_asked_for_once_and_kept() throws Exception {
        try (FakeUpstream upstream = new FakeUpstream(5301, Answers.of("www.example.org. 60 IN A 192.0.2.1"));
                RunningServer _ = serving(new Forward(Name.ROOT, List.of(FIRST)))) {
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(dig("WWW.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(upstream.asked()).containsExactly("www.example.org.");
        }
    }

    @Test
    void an_external_name_is_followed_upstream() throws Exception {
        try (FakeUpstream _ = new FakeUpstream(5301, Answers.of("db.example.org. 60 IN A 192.0.2.7"));
                RunningServer _ = serving(new Forward(Name.ROOT, List.of(FIRST)))) {
            assertThat(dig("database.default.svc.cluster.local")).isEqualTo("db.example.org.\n192.0.2.7\n");
        }
    }

    @Test
    void a_stub_domain_has_servers_of_its_own() throws Exception {
        try (FakeUpstream first = new FakeUpstream(5301, Answers.of("www.example.org. 60 IN A 192.0.2.1"));
                FakeUpstream second = new FakeUpstream(5302, Answers.of("a.corp. 60 IN A 192.0.2.2"));
                RunningServer _ = serving(
                        new Forward(Name.ROOT, List.of(FIRST)), new Forward(Name.of("corp"), List.of(SECOND)))) {
            assertThat(dig("a.corp")).isEqualTo("192.0.2.2\n");
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(first.asked()).containsExactly("www.example.org.");
            assertThat(second.asked()).containsExactly("a.corp.");
        }
    }

    @Test
    void the_next_server_is_asked_where_one_is_away_and_cluster_names_do_not_wait() throws Exception {
        try (FakeUpstream _ = new FakeUpstream(5302, Answers.of("www.example.org. 1 IN A 192.0.2.1"));
                RunningServer _ = serving(new Forward(Name.ROOT, List.of(FIRST, SECOND)))) {
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            long start = System.nanoTime();
            assertThat(dig("hello.default.svc.cluster.local")).isEqualTo("10.96.0.10\n");
            assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
        }
    }

    @Test
    void while_upstream_is_away_what_ended_is_given() throws Exception {
        try (RunningServer _ = serving(new Forward(Name.ROOT, List.of(FIRST)))) {
            try (FakeUpstream _ = new FakeUpstream(5301, Answers.of("www.example.org. 1 IN A 192.0.2.1"))) {
                assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            }
            Thread.sleep(1100); // the record's own time
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
            assertThat(Shell.run("dig", "+tries=1", "+time=8", "@127.0.0.1", "other.example.org"))
                    .contains("status: SERVFAIL");
        }
    }

    @Test
    void a_corefile_gives_hosts_and_names_that_stand_for_others() throws Exception {
        String corefile = """
            .:53 {
                hosts {
                    192.0.2.9 box.example.org
                }
                rewrite name exact old.example.org hello.default.svc.cluster.local
            }
            """;
        try (RunningServer server = new RunningServer(config -> CorefilePlan.over(config, corefile, List::of))) {
            server.show(CLUSTER);
            assertThat(dig("box.example.org")).isEqualTo("192.0.2.9\n");
            assertThat(Shell.run("dig", "+noall", "+answer", "@127.0.0.1", "old.example.org"))
                    .startsWith("old.example.org.")
                    .contains("10.96.0.10");
        }
    }

    @Test
    void records_that_were_not_asked_for_are_dropped() throws Exception {
        try (FakeUpstream _ = new FakeUpstream(
                        5301,
                        Answers.of("www.example.org. 60 IN A 192.0.2.1", "bank.example.net. 60 IN A 192.0.2.66"));
                RunningServer _ = serving(new Forward(Name.ROOT, List.of(FIRST)))) {
            assertThat(dig("www.example.org")).isEqualTo("192.0.2.1\n");
        }
    }

    private static RunningServer serving(Forward... forwards) throws InterruptedException {
        RunningServer server = new RunningServer(config -> config.withForwards(List.of(forwards)));
        server.show(CLUSTER);
        return server;
    }

    private static String dig(String name) {
        return Shell.run("dig", "+tries=1", "+time=8", "+short", "@127.0.0.1", name, "A");
    }
}
