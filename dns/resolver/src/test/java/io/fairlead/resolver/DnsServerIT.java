package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.testkit.NameQuestion;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.testkit.Scenario;
import io.fairlead.yaml.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresRoot
final class DnsServerIT {
    private static final String RESOLV_CONF = """
        nameserver 127.0.0.1
        search default.svc.cluster.local svc.cluster.local cluster.local
        options ndots:5
        """;

    @ParameterizedTest
    @MethodSource("io.fairlead.testkit.Scenario#withNames")
    void dig_gets_what_the_scenario_says(Scenario scenario) throws InterruptedException {
        try (RunningServer _ = RunningServer.of(scenario.snapshot())) {
            List<NameQuestion> questions = NameQuestion.of(scenario).stream()
                    .filter(question -> question.settings().isEmpty())
                    .filter(question -> !question.answer().contains("example.org"))
                    .toList();
            for (NameQuestion question : questions) {
                for (String time : List.of("first", "again")) {
                    assertThat(dig(question.name(), question.type()))
                            .as("%s, %s", question, time)
                            .isEqualTo(question.answer());
                }
            }
        }
    }

    private static String dig(String name, String type) {
        String text =
                Shell.run("dig", "+tries=1", "+time=2", "+noall", "+comments", "+answer", "@127.0.0.1", name, type);
        String code = text.replaceAll("(?s).*status: (\\w+),.*", "$1");
        String[] records = text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith(";"))
                .map(line -> line.split("\\s+", 5))
                .map(words -> (words[3].equals("CNAME") ? "CNAME " : "") + words[4])
                .toArray(String[]::new);
        return switch (code) {
            case "NOERROR" -> records.length == 0 ? "nodata" : NameQuestion.sorted(records);
            case "NXDOMAIN" -> "nxdomain";
            case "REFUSED" -> "not ours";
            default -> code;
        };
    }

    @Test
    void kdig_and_drill_get_an_answer_with_the_case_of_the_question() throws InterruptedException {
        try (RunningServer _ = RunningServer.of(hello())) {
            String name = "HeLLo.default.SVC.cluster.local";
            assertThat(Shell.run("kdig", "+noall", "+answer", "@127.0.0.1", name, "A"))
                    .contains("10.96.0.10");
            assertThat(Shell.run("drill", "@127.0.0.1", name, "A")).contains(name, "10.96.0.10", "NOERROR");
        }
    }

    @Test
    void an_answer_too_long_for_a_datagram_comes_by_tcp() throws InterruptedException {
        try (RunningServer _ = RunningServer.of(many(200))) {
            String name = "many.default.svc.cluster.local";
            assertThat(Shell.run("dig", "+bufsize=512", "+ignore", "@127.0.0.1", name))
                    .contains("flags: qr aa tc");
            assertThat(Shell.run("dig", "+short", "+bufsize=512", "@127.0.0.1", name)
                            .lines())
                    .hasSize(200);
            assertThat(Shell.run("dig", "+bufsize=4096", "+ignore", "@127.0.0.1", name))
                    .doesNotContain(" tc");
        }
    }

    @Test
    void one_connection_takes_many_questions() throws InterruptedException {
        try (RunningServer _ = RunningServer.of(hello())) {
            String name = "hello.default.svc.cluster.local";
            String text =
                    Shell.run("dig", "+tcp", "+keepopen", "+short", "@127.0.0.1", name, "A", name, "A", name, "SRV");
            assertThat(text.lines()).containsExactly("10.96.0.10", "10.96.0.10", "0 100 80 " + name + ".");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "hello.default", "hello.default.svc", "hello.default.svc.cluster.local"})
    void every_c_library_finds_a_service_by_its_short_name(String name, @TempDir Path folder)
            throws InterruptedException {
        Path conf = Shell.write(folder, "resolv.conf", RESOLV_CONF);
        try (RunningServer _ = RunningServer.of(hello())) {
            assertThat(Shell.runWith(conf, "getent", "hosts", name)).contains("10.96.0.10");
            assertThat(Shell.runWith(conf, muslProgram(folder), name)).contains("10.96.0.10");
        }
    }

    @Test
    void busybox_finds_a_service_as_the_document_shows(@TempDir Path folder) throws InterruptedException {
        Path conf = Shell.write(folder, "resolv.conf", RESOLV_CONF);
        try (RunningServer _ = RunningServer.of(hello())) {
            assertThat(Shell.runWith(conf, "busybox", "nslookup", "hello.default.svc.cluster.local"))
                    .contains("Name:\thello.default.svc.cluster.local", "10.96.0.10");
        }
    }

    @Test
    void java_finds_a_service_by_its_short_name(@TempDir Path folder) throws InterruptedException {
        Path conf = Shell.write(folder, "resolv.conf", RESOLV_CONF);
        Path program = Shell.write(folder, "Lookup.java", """
            void main(String[] args) throws Exception {
                System.out.println(java.net.InetAddress.getByName(args[0]).getHostAddress());
            }
            """);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (RunningServer _ = RunningServer.of(hello())) {
            assertThat(Shell.runWith(conf, java, program.toString(), "hello")).contains("10.96.0.10");
        }
    }

    /// musl's resolver, which asks for both families at once and stops at the first wrong NODATA.
    private static String muslProgram(Path folder) {
        Path source = Shell.write(folder, "lookup.c", """
            #include <stdio.h>
            #include <netdb.h>
            #include <arpa/inet.h>
            int main(int argc, char **argv) {
                struct addrinfo *all, *one;
                int error = getaddrinfo(argv[1], 0, 0, &all);
                if (error) { puts(gai_strerror(error)); return 1; }
                for (one = all; one; one = one->ai_next) {
                    char text[64];
                    if (one->ai_family == AF_INET)
                        puts(inet_ntop(AF_INET, &((struct sockaddr_in *) one->ai_addr)->sin_addr, text, 64));
                }
                return 0;
            }
            """);
        String program = folder.resolve("lookup").toString();
        Shell.run("musl-gcc", "-static", "-o", program, source.toString());
        return program;
    }

    @Test
    void before_the_cluster_is_known_its_names_fail_and_the_server_is_not_ready() {
        try (RunningServer _ = new RunningServer(config -> config)) {
            assertThat(dig("hello.default.svc.cluster.local", "A")).isEqualTo("SERVFAIL");
            assertThat(Shell.run("curl", "-s", "-w", "%{http_code}", "http://127.0.0.1:9153/ready"))
                    .endsWith("503");
            assertThat(Shell.run("curl", "-s", "http://127.0.0.1:9153/health")).isEqualTo("OK");
        }
    }

    @Test
    void what_was_answered_is_counted_and_the_zone_shown() throws InterruptedException {
        try (RunningServer _ = RunningServer.of(hello())) {
            dig("hello.default.svc.cluster.local", "A");
            dig("nothing.default.svc.cluster.local", "AAAA");
            assertThat(Shell.run("curl", "-s", "http://127.0.0.1:9153/metrics"))
                    .contains(
                            "fairlead_dns_responses_total{zone=\"cluster.local.\",type=\"A\",rcode=\"NOERROR\"} 1",
                            "fairlead_dns_responses_total{zone=\"cluster.local.\",type=\"AAAA\",rcode=\"NXDOMAIN\"} 1",
                            "fairlead_dns_request_duration_seconds_bucket{zone=\"cluster.local.\",le=\"+Inf\"} 2",
                            "fairlead_dns_request_duration_seconds_count{zone=\"cluster.local.\"} 2");
            assertThat(Shell.run("curl", "-s", "http://127.0.0.1:9153/dump/zone"))
                    .contains("hello.default.svc.cluster.local. 5 IN A 10.96.0.10");
        }
    }

    @Test
    void while_endpoints_change_no_answer_is_wrong() throws InterruptedException {
        Snapshot before = many(3);
        Snapshot after = before.with(slice(2));
        Set<Integer> counts;
        try (RunningServer server = RunningServer.of(before);
                Asking asking = new Asking("many.default.svc.cluster.local")) {
            for (int i = 0; i < 300; i++) {
                server.offer(i % 2 == 0 ? after : before);
                Thread.sleep(2);
            }
            counts = asking.counts();
            assertThat(asking.questions()).isGreaterThan(500);
        }
        assertThat(counts).containsExactlyInAnyOrder(2, 3);
    }

    private static Snapshot hello() {
        return Snapshot.EMPTY.with(Service.of(Yaml.parseAll("""
            {metadata: {namespace: default, name: hello},
             spec: {clusterIP: 10.96.0.10, ports: [{name: http, port: 80}]}}
            """).getFirst()));
    }

    private static Snapshot many(int endpoints) {
        return Snapshot.EMPTY.with(Service.of(Yaml.parseAll("""
            {metadata: {namespace: default, name: many}, spec: {clusterIP: None, ports: [{port: 80}]}}
            """).getFirst())).with(slice(endpoints));
    }

    private static EndpointSlice slice(int endpoints) {
        String addresses = IntStream.rangeClosed(1, endpoints)
                .mapToObj("{addresses: [10.244.1.%d]}"::formatted)
                .collect(Collectors.joining(", "));
        return EndpointSlice.of(Yaml.parseAll("""
            {metadata: {namespace: default, name: many-1, labels: {kubernetes.io/service-name: many}},
             addressType: IPv4, ports: [{name: http, port: 80, protocol: TCP}], endpoints: [%s]}
            """.formatted(addresses)).getFirst());
    }
}
