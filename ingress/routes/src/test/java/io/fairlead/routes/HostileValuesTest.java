package io.fairlead.routes;

import static io.fairlead.routes.TestIngresses.CLASS;
import static io.fairlead.routes.TestIngresses.service;
import static io.fairlead.routes.TestIngresses.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.ConfigMap;
import io.fairlead.api.Ingress;
import io.fairlead.api.Json;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Protocol;
import io.fairlead.api.Secret;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    static {
        // What a key of the ConfigMap adds.
        KNOWN_NAMES.addAll(List.of("set_real_ip_from", "real_ip_header", "real_ip_recursive"));
    }

    private static final List<String> OUTERMOST =
            EVERYTHING.stream().map(Statement::name).toList();

    private static final Set<String> WITHOUT_LUA = Set.of(
            "geo",
            "if",
            "allow",
            "deny",
            "rewrite",
            "return",
            "add_header",
            "server_names_hash_max_size",
            "server_names_hash_bucket_size");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_][A-Za-z0-9_]*)");
    private static final String OUR_VARIABLES =
            "fairlead_.*|http_(host|upgrade|user_agent|x_forwarded_proto)|host|request_uri|uri|scheme|remote_addr"
                    + "|request_id|server_port|server_protocol|request_method|time_iso8601|status|body_bytes_sent"
                    + "|request_time|upstream_addr|upstream_response_time|ssl_client_verify|proxy_add_x_forwarded_for";

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

    @Test
    void each_value_in_every_other_field_is_inert() {
        for (String value : CORPUS) {
            Ingress plain = ingress("use-regex", "false", "x.example.com", "/");
            check(
                    "service " + value,
                    changed(plain, backend -> backend.withObject("service").put("name", value)));
            check("port name " + value, changed(plain, backend -> {
                backend.withObject("service").putObject("port").put("name", value);
            }));
            check("prefix of both annotations " + value, ingress("server-alias", value, value, "/" + value));
            for (String word : List.of("auth-type", "custom-headers", "auth-tls-secret")) {
                check(
                        "what " + word + " names, " + value,
                        ingress(word, word.equals("auth-type") ? "basic" : "x", "x.example.com", "/"),
                        secret("x", value),
                        configMap("x", value));
            }
            check("certificate " + value, plain, secret(value, "-----BEGIN CERTIFICATE-----" + value), external(value));
        }
    }

    @Test
    void each_value_in_the_config_maps_that_hold_for_all_is_refused_or_inert() {
        for (String value : CORPUS) {
            for (Setting setting : Setting.values()) {
                Settings settings = Settings.read(Map.of(setting.word(), value)).settings();
                checkTree(
                        setting + "=" + value,
                        new NginxConfiguration(PLACE, settings, List.of(), List.of()).text(),
                        OUTERMOST);
            }
            List<String> warnings = new ArrayList<>();
            Snapshot snapshot = Snapshot.EMPTY.with(service("hello"));
            assertThat(Passthrough.read(
                            snapshot, Protocol.TCP, Map.of("81", value, value + "x", "default/hello:80"), warnings))
                    .isEmpty();
            assertThat(warnings).hasSize(2);
        }
    }

    private static Ingress changed(Ingress plain, Consumer<ObjectNode> change) {
        ObjectNode json =
                (ObjectNode) Json.parse("""
                    {"metadata":{"namespace":"default","name":"evil"},"spec":{"ingressClassName":"fairlead",
                     "defaultBackend":{"service":{"name":"hello","port":{"number":80}}},
                     "rules":[{"host":"%s","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{}}]}}]}}
                    """.formatted(plain.rules().getFirst().host()));
        change.accept((ObjectNode) json.at("/spec/rules/0/http/paths/0/backend"));
        change.accept((ObjectNode) json.at("/spec/defaultBackend"));
        return Ingress.of(json);
    }

    private static KubernetesObject secret(String name, String value) {
        ObjectNode json = Json.object();
        json.putObject("metadata").put("namespace", "default").put("name", name);
        String data = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        ObjectNode all = json.putObject("data");
        List.of("tls.crt", "tls.key", "ca.crt", "auth").forEach(key -> all.put(key, data));
        return Secret.of(json);
    }

    private static KubernetesObject configMap(String name, String value) {
        ObjectNode json = Json.object();
        json.putObject("metadata").put("namespace", "default").put("name", name);
        json.putObject("data").put(value, "x").put("X-Good", value);
        return ConfigMap.of(json);
    }

    private static KubernetesObject external(String value) {
        ObjectNode json = Json.object();
        json.putObject("metadata").put("namespace", "default").put("name", "hello");
        json.putObject("spec").put("type", "ExternalName").put("externalName", value);
        return Service.of(json);
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

    private static void check(String what, Ingress ingress, KubernetesObject... more) {
        Snapshot snapshot = Snapshot.EMPTY
                .with(CLASS)
                .with(service("hello"))
                .with(slice("hello", "10.244.1.1"))
                .with(ingress);
        for (KubernetesObject object : more) {
            snapshot = snapshot.with(object);
        }
        RouteTable table = RouteTable.of(snapshot, IngressOwnership.DEFAULT);
        NginxConfiguration configuration =
                new NginxConfiguration(PLACE, Settings.DEFAULT, List.copyOf(table.profiles()), List.of());
        checkTree(what, configuration.text(), OUTERMOST);
        checkWithoutLua(what, snapshot);
        // The Feed is data: a line a record, and JSON that is read back.
        Feed.all(table).forEach((key, json) -> {
            assertThat(key + json).as(what).doesNotContain("\n", "\t", "\0");
            if (!json.isEmpty()) {
                Json.parse(json);
            }
        });
    }

    private static void checkTree(String what, String text, List<String> outermost) {
        List<Statement> tree = NginxText.parse(text);
        assertThat(NginxText.parse(NginxText.format(tree))).as(what).isEqualTo(tree);
        assertThat(KNOWN_NAMES).as(what).containsAll(names(tree));
        assertThat(tree.stream().map(Statement::name)).as(what).containsExactlyElementsOf(outermost);
    }

    /// There values of users stand in the configuration itself: they name no statement and no variable of nginx.
    private static void checkWithoutLua(String what, Snapshot snapshot) {
        RouteTable table = RouteTable.of(
                snapshot,
                IngressOwnership.DEFAULT.refusing(
                        new IngressOwnership.Refused(Set.of(), Set.of(), VipConfiguration.NEED_LUA)));
        String text = VipConfiguration.of(
                        table, new VipConfiguration.Given(PLACE, Settings.DEFAULT, List.of(), Optional.empty()))
                .text();
        List<Statement> tree = NginxText.parse(text);
        assertThat(NginxText.parse(NginxText.format(tree))).as(what).isEqualTo(tree);
        Set<String> names = names(tree);
        names.removeAll(KNOWN_NAMES);
        assertThat(WITHOUT_LUA).as(what).containsAll(names);
        assertThat(tree.stream().map(Statement::name))
                .as(what)
                .doesNotContain("load_module")
                .allMatch(OUTERMOST::contains);
        for (Statement statement : all(tree)) {
            for (String word : evaluated(statement)) {
                Matcher variable = VARIABLE.matcher(word);
                while (variable.find()) {
                    assertThat(variable.group(1)).as("%s: %s", what, word).matches(OUR_VARIABLES);
                }
            }
        }
    }

    /// Patterns, paths and names are not looked through for variables by nginx.
    private static List<String> evaluated(Statement statement) {
        return switch (statement.name()) {
            case "location", "server_name" -> List.of();
            case "rewrite" -> statement.words().subList(1, statement.words().size());
            default -> statement.words();
        };
    }

    private static List<Statement> all(List<Statement> tree) {
        List<Statement> all = new ArrayList<>();
        for (Statement statement : tree) {
            all.add(statement);
            if (statement instanceof Statement.Block block) {
                all.addAll(all(block.body()));
            }
        }
        return all;
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
