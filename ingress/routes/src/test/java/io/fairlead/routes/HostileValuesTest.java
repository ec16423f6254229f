package io.fairlead.routes;

import static io.fairlead.routes.TestIngresses.CLASS;
import static io.fairlead.routes.TestIngresses.service;
import static io.fairlead.routes.TestIngresses.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ingress;
import io.fairlead.api.Json;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Whatever a user writes into any field, the configuration has the same statements as without it.
final class HostileValuesTest {
    private static final NginxLayout PLACE =
            new NginxLayout("/run/x", "", "/usr/lib/nginx/modules", true, List.of("127.0.0.1"), 80, 443);

    private static final List<String> CORPUS = List.of(
            "a\n}\nhttp {",
            "1m; } server { listen 81;",
            "\"; return 200 pwned; \"",
            "'; x '",
            "${host}",
            "$1$9$request_uri",
            "/a$(id)",
            "#x",
            "\\",
            "\\\";",
            "\0",
            "a\0b",
            "]] os.execute('id') --[[",
            "os.execute('id')",
            "\t",
            "\r\nX-Evil: 1",
            "é\u2028ü",
            "{{}}",
            "on",
            "1",
            "true",
            "/",
            "http://x/\nX: y",
            "https://a.example/;x",
            "x".repeat(70_000));

    private static final List<Statement> EVERYTHING =
            NginxText.parse(new NginxConfiguration(PLACE, Settings.DEFAULT, AllProfiles.of(), List.of()).text());
    private static final Set<String> KNOWN_NAMES = names(EVERYTHING);
    private static final List<String> OUTERMOST =
            EVERYTHING.stream().map(Statement::name).toList();

    @Test
    void each_value_in_each_annotation_is_refused_or_inert() {
        for (Annotation annotation : Annotation.values()) {
            for (String value : CORPUS) {
                check(annotation + "=" + value, ingress(annotation.word(), value, "x.example.com", "/"));
            }
        }
    }

    @Test
    void each_value_as_host_path_service_and_secret_is_inert() {
        for (String value : CORPUS) {
            check("host " + value, ingress("use-regex", "false", value, "/"));
            check("path " + value, ingress("use-regex", "false", "x.example.com", value));
            check("pattern " + value, ingress("use-regex", "true", "x.example.com", value));
        }
    }

    private static Ingress ingress(String word, String value, String host, String path) {
        ObjectNode json = Json.object();
        ObjectNode metadata =
                json.putObject("metadata").put("namespace", "default").put("name", "evil");
        metadata.putObject("annotations").put(Annotation.NGINX_PREFIX + word, value);
        ObjectNode spec = json.putObject("spec").put("ingressClassName", "fairlead");
        spec.putArray("tls")
                .addObject()
                .put("secretName", value)
                .putArray("hosts")
                .add(host);
        ObjectNode backend = spec.putArray("rules")
                .addObject()
                .put("host", host)
                .putObject("http")
                .putArray("paths")
                .addObject()
                .put("path", path)
                .put("pathType", "ImplementationSpecific")
                .putObject("backend");
        backend.putObject("service").put("name", "hello").putObject("port").put("number", 80);
        return Ingress.of(json);
    }

    private static void check(String what, Ingress ingress) {
        Snapshot snapshot = Snapshot.EMPTY
                .with(CLASS)
                .with(service("hello"))
                .with(slice("hello", "10.244.1.1"))
                .with(ingress);
        RouteTable table = RouteTable.of(snapshot, IngressOwnership.DEFAULT);
        NginxConfiguration configuration =
                new NginxConfiguration(PLACE, Settings.DEFAULT, List.copyOf(table.profiles()), List.of());
        List<Statement> tree = NginxText.parse(configuration.text());
        assertThat(NginxText.parse(NginxText.format(tree))).as(what).isEqualTo(tree);
        assertThat(KNOWN_NAMES).as(what).containsAll(names(tree));
        assertThat(tree.stream().map(Statement::name)).as(what).containsExactlyElementsOf(OUTERMOST);
        // The Feed is data: a line a record, and JSON that is read back.
        Feed.all(table).forEach((key, json) -> {
            assertThat(key + json).as(what).doesNotContain("\n", "\t", "\0");
            if (!json.isEmpty()) {
                Json.parse(json);
            }
        });
    }

    private static Set<String> names(List<Statement> tree) {
        Set<String> names = new TreeSet<>();
        List<Statement> waiting = new ArrayList<>(tree);
        while (!waiting.isEmpty()) {
            Statement statement = waiting.removeLast();
            names.add(statement.name());
            Stream.of(statement)
                    .filter(Statement.Block.class::isInstance)
                    .map(Statement.Block.class::cast)
                    .forEach(block -> waiting.addAll(block.body()));
        }
        return names;
    }
}
