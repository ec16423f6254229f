package io.fairlead.resolver;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;

/// Where a node's pods ask for names, and who else may answer them.
///
/// @param asked the addresses of the cluster's DNS, one a family at most
/// @param others where other nodes' servers answer
/// @param alone whether none but this server answers, where there are no others: then a question that finds it away
/// gets no
///     answer, and its client asks again, instead of a refusal, which ends a search; else the Service's rows say who
/// answers
public record PodDoorPlan(List<Ip> asked, List<Ip> others, boolean alone) {
    static final PodDoorPlan SHUT = new PodDoorPlan(List.of(), List.of());

    /// Where there are no others, the Service's rows say who answers.
    public PodDoorPlan(List<Ip> asked, List<Ip> others) {
        this(asked, others, false);
    }

    public PodDoorPlan {
        asked = List.copyOf(asked);
        others = others.stream().distinct().sorted().toList();
        if (asked.stream().map(Ip::family).distinct().count() < asked.size()) {
            throw new IllegalArgumentException("one address a family, not " + asked);
        }
    }

    /// Without the families in which the server has no place.
    PodDoorPlan within(List<Family> families) {
        return new PodDoorPlan(
                asked.stream().filter(ip -> families.contains(ip.family())).toList(), others, alone);
    }

    List<Ip> others(Family family) {
        return others.stream().filter(ip -> ip.family() == family).toList();
    }
}
