package io.fairlead.routes;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.api.Secret;
import io.fairlead.api.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the Lua in nginx knows, as records by key: a line each, `key`, a tab, and JSON; no JSON means that it
/// is gone.
public final class Feed {
    /// What the key of a host begins with.
    public static final String HOST = "host:";

    private static final String SETTINGS = "settings";
    private static final String CERTIFICATE = "tls-default";

    private Feed() {}

    /// The records that lead from `older` to `newer`; an empty value is for a key that is gone.
    public static SortedMap<String, String> between(RouteTable older, RouteTable newer) {
        SortedMap<String, String> records = new TreeMap<>();
        newer.hosts().changedSince(older.hosts(), host -> records.putAll(host(newer, host)));
        newer.upstreams()
                .changedSince(older.upstreams(), target -> records.put("service:" + target, upstream(newer, target)));
        Set<String> tls = new TreeSet<>();
        newer.certificates().changedSince(older.certificates(), tls::add);
        newer.hosts().changedSince(older.hosts(), tls::add);
        tls.forEach(host -> records.put("tls:" + host, tls(newer, host)));
        return records;
    }

    /// All records of a table.
    public static SortedMap<String, String> all(RouteTable table) {
        return between(RouteTable.of(Snapshot.EMPTY, IngressOwnership.DEFAULT), table);
    }

    /// The records of what holds for all: settings, and the certificate for names without one.
    public static SortedMap<String, String> common(Settings settings, Optional<Secret> certificate) {
        ObjectNode json = Json.object();
        json.put("body", settings.text(Setting.PROXY_BODY_SIZE));
        json.put("connect", seconds(settings, Setting.PROXY_CONNECT_TIMEOUT));
        json.put("send", seconds(settings, Setting.PROXY_SEND_TIMEOUT));
        json.put("read", seconds(settings, Setting.PROXY_READ_TIMEOUT));
        json.put("redirect", settings.flag(Setting.SSL_REDIRECT));
        String shown = certificate
                .flatMap(Certificate::find)
                .map(found -> text(Json.object().put("chain", found.chain()).put("key", found.key())))
                .orElse("");
        return new TreeMap<>(Map.of(SETTINGS, text(json), CERTIFICATE, shown));
    }

    private static long seconds(Settings settings, Setting setting) {
        return Long.parseLong(settings.text(setting));
    }

    /// The lines of records.
    public static String lines(SortedMap<String, String> records) {
        StringBuilder text = new StringBuilder();
        records.forEach((key, json) -> {
            if (key.chars().anyMatch(c -> c < ' ') || json.chars().anyMatch(c -> c < ' ')) {
                throw new IllegalStateException("a record with control characters");
            }
            text.append(key).append('\t').append(json).append('\n');
        });
        return text.toString();
    }

    /// The record of one host.
    public static Map<String, String> host(RouteTable table, String host) {
        return Map.of(HOST + host, routes(table, host));
    }

    private static String routes(RouteTable table, String host) {
        Optional<HostRoutes> found = table.hosts().find(host).filter(routes -> !routes.isEmpty());
        if (found.isEmpty()) {
            return "";
        }
        ObjectNode json = Json.object();
        ArrayNode list = json.putArray("list");
        ObjectNode exact = json.putObject("exact");
        ObjectNode prefix = json.putObject("prefix");
        ArrayNode regex = json.putArray("regex");
        int number = 0;
        for (PathRoute route : found.get().routes()) {
            number++;
            list.add(route(route));
            switch (route.match()) {
                case EXACT -> exact.put(route.path(), number);
                case PREFIX -> {
                    // The list has the better first.
                    if (!prefix.has(route.plain())) {
                        prefix.put(route.plain(), number);
                    }
                }
                case REGEX ->
                    regex.addObject()
                            .put("path", "^(?:" + route.path() + ")")
                            .put("route", number)
                            .put("length", route.path().length());
            }
        }
        found.get().fallback().forEach(route -> json.set("fallback", route(route)));
        return text(json);
    }

    private static ObjectNode route(PathRoute route) {
        ObjectNode json = Json.object()
                .put("ingress", route.ingress().toString())
                .put("target", route.target().toString())
                .put("profile", route.profile().name());
        if (route.secured()) {
            json.put("secured", route.saysSecured() ? "always" : "usual");
        }
        ObjectNode options = options(route.settled());
        route.canaries()
                .forEach(canary -> options.withArray("canaries")
                        .addObject()
                        .put("target", canary.target().toString())
                        .set("options", values(canary.options())));
        if (route.match() == PathRoute.Match.REGEX) {
            json.put("regex", "^(?:" + route.path() + ")");
        }
        if (!options.isEmpty()) {
            json.set("options", options);
        }
        return json;
    }

    private static ObjectNode options(Settled settled) {
        ObjectNode json = values(settled.options());
        if (!settled.passwords().isEmpty()) {
            json.put("users", settled.passwordFile()).put("realm", settled.realm());
        }
        if (!settled.headers().isEmpty()) {
            ObjectNode headers = json.putObject("headers");
            settled.headers().forEach(headers::put);
        }
        return json;
    }

    private static ObjectNode values(Options options) {
        ObjectNode json = Json.object();
        options.values().forEach((annotation, value) -> {
            String word = annotation.word();
            switch (value) {
                case Boolean flag -> json.put(word, flag);
                case Long number -> json.put(word, number);
                case List<?> list -> {
                    ArrayNode items = json.putArray(word);
                    list.forEach(item -> items.add(item(annotation, String.valueOf(item))));
                }
                default -> json.put(word, String.valueOf(value));
            }
        });
        return json;
    }

    // Ranges are compared by their bits, which Lua is spared to find.
    private static JsonNode item(Annotation annotation, String item) {
        boolean range = annotation == Annotation.ALLOWLIST_SOURCE_RANGE
                || annotation == Annotation.DENYLIST_SOURCE_RANGE
                || annotation == Annotation.LIMIT_ALLOWLIST;
        if (!range) {
            return Json.object().stringNode(item);
        }
        Cidr cidr = Cidr.parse(item);
        return Json.object()
                .put("bits", bits(cidr.network()).substring(0, cidr.prefix()))
                .put("length", cidr.network().bytes().length);
    }

    private static String bits(Ip ip) {
        StringBuilder bits = new StringBuilder();
        for (byte b : ip.bytes()) {
            bits.append(Integer.toBinaryString((b & 0xff) | 0x100), 1, 9);
        }
        return bits.toString();
    }

    private static String upstream(RouteTable table, ServicePort target) {
        Optional<ServiceUpstream> found = table.upstreams().find(target);
        if (found.isEmpty()) {
            return "";
        }
        ObjectNode json = Json.object();
        switch (found.get()) {
            case ServiceUpstream.Endpoints(List<IpPort> targets) -> {
                ArrayNode list = json.putArray("targets");
                targets.forEach(one -> list.addArray().add(address(one.ip())).add(one.port()));
            }
            case ServiceUpstream.External(String name, int port) ->
                json.put("external", name + ":" + port).put("name", name);
            case ServiceUpstream.Nowhere(String sentence) -> json.put("nowhere", sentence);
        }
        return text(json);
    }

    private static String address(Ip ip) {
        String text = ip.toString();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private static String tls(RouteTable table, String host) {
        ObjectNode json = Json.object();
        table.certificates()
                .find(host)
                .ifPresent(found -> json.put("chain", found.chain()).put("key", found.key()));
        table.hosts().find(host).stream()
                .flatMap(routes -> routes.routes().stream())
                .filter(route -> !route.settled().authorities().isEmpty())
                .findFirst()
                .ifPresent(route -> json.put("authorities", route.settled().authorities())
                        .put("depth", route.settled().options().number(Annotation.AUTH_TLS_VERIFY_DEPTH, 1)));
        return json.isEmpty() ? "" : text(json);
    }

    private static String text(JsonNode json) {
        return new String(Json.bytes(json), StandardCharsets.UTF_8);
    }
}
