package io.fairlead.routes;

import io.fairlead.api.Ingress;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All routes of one host, the better first, and who lost a path to an older Ingress.
///
/// @param fallback for what no path matches: empty, or one route
public record HostRoutes(String host, List<PathRoute> routes, List<PathRoute> fallback, List<Conflict> conflicts) {
    /// Two Ingresses want one path of one host; the older has it.
    public record Conflict(String host, String path, NamespacedName winner, NamespacedName loser) {
        public String sentence() {
            return "path %s of host %s belongs to the older Ingress %s"
                    .formatted(path, host.isEmpty() ? "*" : host, winner);
        }
    }

    private record Place(PathRoute.Match match, String path) {}

    public HostRoutes {
        routes = List.copyOf(routes);
        fallback = List.copyOf(fallback);
        conflicts = List.copyOf(conflicts);
    }

    public boolean isEmpty() {
        return routes.isEmpty() && fallback.isEmpty();
    }

    /// The route of a path; the fallback where none matches.
    public Optional<PathRoute> find(String uri) {
        return routes.stream()
                .filter(route -> route.matches(uri))
                .findFirst()
                .or(() -> fallback.stream().findFirst());
    }

    static HostRoutes of(String host, Collection<IngressEntry> entries, Snapshot snapshot) {
        List<IngressEntry> byAge = entries.stream()
                .filter(IngressEntry::isServed)
                .sorted(IngressEntry.BY_AGE)
                .toList();
        List<IngressEntry> mains =
                byAge.stream().filter(entry -> !entry.isCanary()).toList();
        Map<Place, List<PathRoute.Canary>> canaries = canaries(host, byAge);
        Map<Place, PathRoute> taken = new HashMap<>();
        List<Conflict> conflicts = new ArrayList<>();
        for (IngressEntry entry : mains) {
            entry.paths(host).filter(path -> !path.backend().isNone()).forEach(path -> {
                Place place = place(entry, path);
                PathRoute route = route(host, entry, path, snapshot).with(canaries.getOrDefault(place, List.of()));
                PathRoute before = taken.putIfAbsent(place, route);
                if (before != null && !before.ingress().equals(entry.name())) {
                    conflicts.add(new Conflict(host, place.path, before.ingress(), entry.name()));
                }
            });
        }
        List<PathRoute> routes =
                taken.values().stream().sorted(PathRoute.BY_PRECEDENCE).toList();
        return new HostRoutes(host, routes, fallback(host, mains, snapshot), conflicts);
    }

    private static Map<Place, List<PathRoute.Canary>> canaries(String host, List<IngressEntry> byAge) {
        Map<Place, List<PathRoute.Canary>> canaries = new HashMap<>();
        byAge.stream()
                .filter(IngressEntry::isCanary)
                .forEach(entry -> entry.paths(host)
                        .filter(path -> !path.backend().isNone())
                        .forEach(path -> canaries.computeIfAbsent(place(entry, path), _ -> new ArrayList<>())
                                .add(new PathRoute.Canary(
                                        entry.name(),
                                        ServicePort.of(entry.name().namespace(), path.backend()),
                                        entry.settled().options()))));
        return canaries;
    }

    // An Ingress that is for every host comes before one that has rules and a backend for the rest.
    private static List<PathRoute> fallback(String host, List<IngressEntry> mains, Snapshot snapshot) {
        return mains.stream()
                .filter(entry -> !entry.ingress().defaultBackend().isNone())
                .filter(entry -> host.equals(IngressEntry.ANY_HOST)
                        || entry.paths(host).findAny().isPresent()
                        || entry.ingress().rules().stream()
                                .anyMatch(rule -> rule.host().equals(host)))
                .min((one, other) -> {
                    int byRules = Boolean.compare(
                            !one.ingress().rules().isEmpty(),
                            !other.ingress().rules().isEmpty());
                    return byRules != 0 ? byRules : IngressEntry.BY_AGE.compare(one, other);
                })
                .map(entry -> route(
                        host,
                        entry,
                        new Ingress.Path(
                                "/", Ingress.PathType.PREFIX, entry.ingress().defaultBackend()),
                        snapshot))
                .stream()
                .toList();
    }

    private static Place place(IngressEntry entry, Ingress.Path path) {
        return new Place(match(entry, path), text(path));
    }

    private static PathRoute route(String host, IngressEntry entry, Ingress.Path path, Snapshot snapshot) {
        ServicePort target = ServicePort.of(entry.name().namespace(), path.backend());
        Options options = entry.settled().options();
        boolean secured = options.flag(Annotation.FORCE_SSL_REDIRECT, false)
                || (entry.tlsHosts().contains(host) && options.flag(Annotation.SSL_REDIRECT, true));
        return new PathRoute(
                entry.name(),
                match(entry, path),
                text(path),
                target,
                entry.settled(),
                entry.profile(isExternal(snapshot, target)),
                List.of(),
                secured);
    }

    private static boolean isExternal(Snapshot snapshot, ServicePort target) {
        return snapshot.services()
                .find(target.service())
                .filter(service -> service.type() == Service.Type.EXTERNAL_NAME)
                .isPresent();
    }

    private static String text(Ingress.Path path) {
        return path.path().isEmpty() ? "/" : path.path();
    }

    private static PathRoute.Match match(IngressEntry entry, Ingress.Path path) {
        if (entry.isRegex() && path.type() != Ingress.PathType.EXACT) {
            return PathRoute.Match.REGEX;
        }
        return path.type() == Ingress.PathType.EXACT ? PathRoute.Match.EXACT : PathRoute.Match.PREFIX;
    }
}
