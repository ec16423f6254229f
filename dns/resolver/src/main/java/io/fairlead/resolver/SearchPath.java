package io.fairlead.resolver;

import io.fairlead.zone.Name;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The search path of pods, walked by the server in their place: one question instead of five. CoreDNS calls it
/// autopath.
///
/// @param walked whether it is; the pods of the cluster must be known then
/// @param hostDomains what a pod searches after the domains of the cluster
public record SearchPath(boolean walked, List<Name> hostDomains) {
    public static final SearchPath NOT_WALKED = new SearchPath(false, List.of());

    public SearchPath {
        hostDomains = List.copyOf(hostDomains);
    }

    /// The names that a pod of `namespace` asks for after this one, in order; none where it is not the first of a
    /// search.
    List<Name> after(Name question, String namespace, Name origin) {
        Name services = origin.child("svc");
        Optional<Name> first = services.findChild(namespace);
        if (first.isEmpty() || question.equals(first.get()) || !question.isWithin(first.get())) {
            return List.of();
        }
        return Stream.of(Stream.of(services, origin), hostDomains.stream(), Stream.of(Name.ROOT))
                .flatMap(domains -> domains)
                .flatMap(domain -> question.moved(first.get(), domain).stream())
                .toList();
    }
}
