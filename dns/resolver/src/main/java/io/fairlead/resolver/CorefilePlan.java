package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.resolver.Corefile.Directive;
import io.fairlead.resolver.Corefile.ServerBlock;
import io.fairlead.zone.AddressNames;
import io.fairlead.zone.Name;
import io.fairlead.zone.ZoneSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a Corefile asks for, laid over how the server would be set up without it.
///
/// All servers of the file become one, which forwards each zone to its own upstream. A line that is not understood is
/// an error that names its number.
public final class CorefilePlan {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");
    private static final int PORT = 53;

    private final DnsConfig base;
    private final Supplier<List<IpPort>> resolvConf;
    private ZoneSettings zone;
    private CacheSettings cache;
    private UpstreamSettings upstream;
    private SearchPath search;
    private Duration lameDuck;
    private boolean log;
    private final List<Forward> forwards = new ArrayList<>();
    private final List<IpPort> addresses = new ArrayList<>();
    private final Map<Name, List<Ip>> hosts = new LinkedHashMap<>();
    private final Map<Name, Name> rewrites = new LinkedHashMap<>();

    private CorefilePlan(DnsConfig base, Supplier<List<IpPort>> resolvConf) {
        this.base = base;
        this.resolvConf = resolvConf;
        this.zone = base.zone();
        this.cache = base.cache();
        this.upstream = base.upstream();
        this.search = base.search();
        this.lameDuck = base.lameDuck();
        this.log = base.log();
    }

    /// `resolvConf` gives the servers that the machine itself asks. Throws an [IllegalArgumentException] that names the
    /// line that is wrong.
    public static DnsConfig over(DnsConfig base, String text, Supplier<List<IpPort>> resolvConf) {
        return new CorefilePlan(base, resolvConf).of(Corefile.parse(text));
    }

    private DnsConfig of(Corefile file) {
        file.blocks().forEach(this::server);
        return base.withZone(zone)
                .withCache(cache)
                .withForwards(forwards)
                .withUpstream(upstream)
                .withSearch(search)
                .withLameDuck(lameDuck)
                .withLog(log)
                .withLocal(new LocalNames(hosts, rewrites))
                .withAddresses(addresses.isEmpty() ? base.addresses() : addresses);
    }

    private void server(ServerBlock block) {
        for (Directive line : block.directives()) {
            try {
                directive(block, line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Corefile line %d: %s".formatted(line.line(), e.getMessage()), e);
            }
        }
    }

    private void directive(ServerBlock block, Directive line) {
        switch (line.name()) {
            case "kubernetes" -> kubernetes(line);
            case "forward" -> forward(block, line);
            case "cache" -> cache(line);
            case "hosts" -> hosts(line);
            case "rewrite" -> rewrite(line);
            case "bind" -> bind(block, line);
            case "log" -> log = true;
            case "health" -> line.inner().forEach(this::health);
            case "autopath" -> autopath(line);
            // What they ask for is always so here, or is for the one who runs this program to say.
            case "errors", "ready", "prometheus", "loop", "reload" ->
                check(line.inner().isEmpty(), line);
            case "loadbalance" ->
                check(line.arguments().isEmpty() || line.arguments().equals(List.of("round_robin")), line);
            default -> check(false, line);
        }
    }

    private void health(Directive inner) {
        check(inner.name().equals("lameduck"), inner);
        lameDuck = time(one(inner));
    }

    /// `autopath [ZONE...] @kubernetes`: the search path is that of pods, before the domains of this machine.
    private void autopath(Directive line) {
        check(!line.arguments().isEmpty() && line.arguments().getLast().equals("@kubernetes"), line);
        search = new SearchPath(true, search.hostDomains());
    }

    private void kubernetes(Directive line) {
        List<Name> zones = line.arguments().stream()
                .map(Name::of)
                .filter(name -> !AddressNames.isReverse(name))
                .toList();
        check(zones.size() == 1, line);
        zone = zone.withOrigin(zones.getFirst());
        for (Directive inner : line.inner()) {
            switch (inner.name()) {
                case "pods" ->
                    zone = zone.withPods(ZoneSettings.PodMode.valueOf(one(inner).toUpperCase(Locale.ROOT)));
                case "ttl" -> zone = zone.withTtl(number(one(inner)));
                case "endpoint_pod_names" -> zone = zone.withPodNames(true);
                case "ignore" -> {
                    check(one(inner).equals("empty_service"), inner);
                    zone = zone.withEmptyServices(false);
                }
                case "fallthrough" ->
                    check(inner.arguments().stream().allMatch(word -> AddressNames.isReverse(Name.of(word))), inner);
                default -> check(false, inner);
            }
        }
    }

    private void forward(ServerBlock block, Directive line) {
        check(line.arguments().size() >= 2, line);
        List<IpPort> servers = line.arguments().stream()
                .skip(1)
                .flatMap(word -> word.equals("/etc/resolv.conf") ? resolvConf.get().stream() : Stream.of(place(word)))
                .toList();
        for (Directive inner : line.inner()) {
            switch (inner.name()) {
                case "max_concurrent" -> upstream = upstream.withMaxConcurrent(number(one(inner)));
                case "policy" -> check(one(inner).matches("random|round_robin|sequential"), inner);
                case "prefer_udp", "expire", "max_fails", "health_check" -> {} // how ours does it by itself
                default -> check(false, inner);
            }
        }
        Name from = Name.of(line.arguments().getFirst());
        List<Name> zones = from.equals(Name.ROOT)
                ? block.keys().stream().map(CorefilePlan::zoneOf).toList()
                : List.of(from);
        if (!servers.isEmpty()) {
            zones.forEach(name -> forwards.add(new Forward(name, servers)));
        }
    }

    private void cache(Directive line) {
        List<String> words = line.arguments();
        if (!words.isEmpty()) {
            Duration longest = time(words.getFirst());
            cache = new CacheSettings(cache.capacity(), longest, longest, cache.stale(), cache.prefetch());
        }
        for (Directive inner : line.inner()) {
            switch (inner.name()) {
                case "disable" -> check(inner.arguments().size() >= 1, inner); // the cluster's names are never kept
                case "success" -> cache = cache.withCapacity(number(first(inner)));
                case "denial", "servfail", "keepttl" -> {} // kept as their records say
                case "prefetch" -> cache = cache.withPrefetch(number(first(inner)));
                case "serve_stale" ->
                    cache = cache.withStale(
                            inner.arguments().isEmpty()
                                    ? Duration.ofHours(1)
                                    : time(inner.arguments().getFirst()));
                default -> check(false, inner);
            }
        }
    }

    private void hosts(Directive line) {
        check(line.arguments().isEmpty(), line);
        for (Directive inner : line.inner()) {
            Optional<Ip> address = Ip.find(inner.name());
            if (address.isEmpty()) {
                check(inner.name().matches("fallthrough|ttl|reload|no_reverse"), inner);
                continue;
            }
            inner.arguments()
                    .forEach(name -> hosts.computeIfAbsent(Name.of(name), _ -> new ArrayList<>())
                            .add(address.get()));
        }
    }

    private void rewrite(Directive line) {
        List<String> words = line.words();
        boolean exact = words.size() == 5 && words.get(2).equals("exact");
        check(words.size() > 1 && words.get(1).equals("name") && (exact || words.size() == 4), line);
        rewrites.put(Name.of(words.get(words.size() - 2)), Name.of(words.getLast()));
    }

    private void bind(ServerBlock block, Directive line) {
        int port = portOf(block.keys().getFirst());
        line.arguments().forEach(word -> addresses.add(new IpPort(Ip.parse(word), port)));
    }

    private static void check(boolean right, Directive line) {
        if (!right) {
            throw new IllegalArgumentException("\"%s\" is not understood".formatted(String.join(" ", line.words())));
        }
    }

    private static String one(Directive line) {
        check(line.arguments().size() == 1, line);
        return line.arguments().getFirst();
    }

    private static String first(Directive line) {
        check(!line.arguments().isEmpty(), line);
        return line.arguments().getFirst();
    }

    private static int number(String word) {
        if (!word.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("\"%s\" is not a number".formatted(word));
        }
        return Integer.parseInt(word);
    }

    private static Duration time(String word) {
        Matcher time = TIME.matcher(word);
        if (!time.matches()) {
            throw new IllegalArgumentException("\"%s\" is not a time".formatted(word));
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case null, default -> Duration.ofSeconds(count);
        };
    }

    private static IpPort place(String word) {
        String bare = word.startsWith("dns://") ? word.substring(6) : word;
        return Ip.find(bare).map(ip -> new IpPort(ip, PORT)).orElseGet(() -> IpPort.parse(bare));
    }

    private static Name zoneOf(String key) {
        return Name.of(bare(key).replaceAll(":\\d+$", ""));
    }

    private static int portOf(String key) {
        Matcher port = Pattern.compile(":(\\d+)$").matcher(bare(key));
        return port.find() ? number(port.group(1)) : PORT;
    }

    private static String bare(String key) {
        return key.startsWith("dns://") ? key.substring(6) : key;
    }
}
