package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.zone.Name;
import io.fairlead.zone.ZoneSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CorefileTest {
    private static final DnsConfig BASE = DnsConfig.at(List.of(IpPort.parse("0.0.0.0:53")), 1);
    private static final IpPort HOST = IpPort.parse("192.0.2.53:53");

    /// As kubeadm writes it, with what people add.
    private static final String USUAL = """
        .:53 {
            errors
            health {
               lameduck 5s
            }
            ready
            kubernetes cluster.local in-addr.arpa ip6.arpa {
               pods verified
               fallthrough in-addr.arpa ip6.arpa
               ttl 30
            }
            prometheus :9153
            hosts {
                10.0.0.1 box.example.org
                fallthrough
            }
            rewrite name exact old.example.org hello.default.svc.cluster.local
            forward . /etc/resolv.conf {
               max_concurrent 500
            }
            cache 30 {
               disable success cluster.local
               disable denial cluster.local
               prefetch 5
            }
            loop
            reload
            loadbalance
        }
        # our own
        corp.example:53 {
            errors
            forward . 10.1.0.53 10.1.0.54:5353
            log
        }
        """;

    @Test
    void what_people_have_is_understood() {
        DnsConfig config = CorefilePlan.over(BASE, USUAL, () -> List.of(HOST));
        assertThat(config.zone().ttl()).isEqualTo(30);
        assertThat(config.zone().pods()).isEqualTo(ZoneSettings.PodMode.VERIFIED);
        assertThat(config.upstream().maxConcurrent()).isEqualTo(500);
        assertThat(config.lameDuck()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.search().walked()).isFalse();
        assertThat(config.log()).isTrue();
        assertThat(config.cache().longest()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.cache().prefetch()).isEqualTo(5);
        assertThat(config.forwards())
                .containsExactly(
                        new Forward(Name.ROOT, List.of(HOST)),
                        new Forward(
                                Name.of("corp.example"),
                                List.of(IpPort.parse("10.1.0.53:53"), IpPort.parse("10.1.0.54:5353"))));
        assertThat(config.local().hosts()).containsEntry(Name.of("box.example.org"), List.of(Ip.parse("10.0.0.1")));
        assertThat(config.local().rewrites())
                .containsEntry(Name.of("old.example.org"), Name.of("hello.default.svc.cluster.local"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "errors",
                "ready",
                "ready :8181",
                "health",
                "health :8080",
                "loop",
                "reload",
                "reload 30s",
                "loadbalance",
                "loadbalance round_robin",
                "prometheus",
                "prometheus 0.0.0.0:9153",
                "cache",
                "hosts",
                "kubernetes cluster.local"
            })
    void a_plugin_that_asks_for_what_is_so_anyway_changes_nothing(String plugin) {
        DnsConfig config = CorefilePlan.over(BASE, ".:53 {\n %s\n}\n".formatted(plugin), List::of);
        assertThat(config).isEqualTo(BASE);
    }

    @Test
    void what_stands_inside_a_plugin_counts() {
        DnsConfig config = CorefilePlan.over(BASE, """
            .:53 {
                kubernetes corp.local {
                    endpoint_pod_names
                    ignore empty_service
                    ttl 7
                }
                cache {
                    success 100
                    serve_stale 20m
                }
                forward . 10.1.0.53 {
                    policy sequential
                    max_concurrent 7
                }
            }
            """, List::of);
        assertThat(config.zone().origin()).isEqualTo(Name.of("corp.local"));
        assertThat(config.zone().podNames()).isTrue();
        assertThat(config.zone().emptyServices()).isFalse();
        assertThat(config.zone().ttl()).isEqualTo(7);
        assertThat(config.cache().capacity()).isEqualTo(100);
        assertThat(config.cache().stale()).isEqualTo(Duration.ofMinutes(20));
        assertThat(config.upstream().maxConcurrent()).isEqualTo(7);
        assertThat(config.forwards()).containsExactly(new Forward(Name.ROOT, List.of(IpPort.parse("10.1.0.53:53"))));
    }

    @Test
    void bind_says_where_to_answer() {
        DnsConfig config = CorefilePlan.over(BASE, ".:5353 {\n bind 127.0.0.1 ::1\n}\n", List::of);
        assertThat(config.addresses()).containsExactly(IpPort.parse("127.0.0.1:5353"), IpPort.parse("[::1]:5353"));
    }

    @Test
    void autopath_walks_the_search_path_before_the_domains_of_the_machine() {
        DnsConfig base = BASE.withSearch(new SearchPath(false, List.of(Name.of("corp.example"))));
        DnsConfig config = CorefilePlan.over(base, ".:53 {\n autopath cluster.local @kubernetes\n}\n", List::of);
        assertThat(config.search()).isEqualTo(new SearchPath(true, List.of(Name.of("corp.example"))));
        assertThat(DnsServer.interests(config))
                .hasSizeGreaterThan(DnsServer.interests(BASE).size());
    }

    @Test
    void a_line_that_is_not_understood_is_named_by_its_number() {
        assertWrong(".:53 {\n    errors\n    etcd foo\n}\n", "Corefile line 3: \"etcd foo\" is not understood");
        assertWrong(".:53 {\n kubernetes cluster.local {\n  pods maybe\n }\n}\n", "Corefile line 2:");
        assertWrong(".:53 {\n forward . nowhere\n}\n", "Corefile line 2:");
        assertWrong(".:53 {\n cache soon\n}\n", "Corefile line 2: \"soon\" is not a time");
        assertWrong(".:53 {\n errors\n", "Corefile line 1: is not closed");
        assertWrong("errors\n", "Corefile line 1:");
        assertWrong("", "Corefile: no server");
        assertWrong(".:53 {\n rewrite name regex (.*) x\n}\n", "Corefile line 2:");
        assertWrong(".:53 {\n autopath @file\n}\n", "Corefile line 2: \"autopath @file\" is not understood");
        assertWrong(".:53 {\n health {\n  lameduck soon\n }\n}\n", "Corefile line 2: \"soon\" is not a time");
    }

    private static void assertWrong(String text, String message) {
        assertThatThrownBy(() -> CorefilePlan.over(BASE, text, List::of))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void a_number_or_a_time_that_is_missing_or_endless_is_refused_with_its_line() {
        for (String inner : List.of("success", "prefetch", "serve_stale 99999999999999999999h")) {
            assertThatThrownBy(() ->
                            CorefilePlan.over(BASE, ".:53 {\n cache 30 {\n  %s\n }\n}\n".formatted(inner), List::of))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Corefile line");
        }
    }
}
