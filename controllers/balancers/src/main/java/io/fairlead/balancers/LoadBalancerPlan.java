package io.fairlead.balancers;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.FamilyPolicy;
import io.fairlead.api.Snapshot;
import io.fairlead.balancers.LoadBalancerRequest.Asked;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Which Service gets which address: all Services of one Snapshot at once, so that none gets what another is given.
///
/// What a Service has it keeps, as long as it asks for nothing else; its status says what it has. The oldest Service
/// chooses first.
final class LoadBalancerPlan {
    static final String PROBLEM = "fairlead.io/load-balancer-problem";

    private final AddressPools pools;
    private final TakenAddresses taken;
    private final AddressClaims claims;
    private final List<Write> addresses = new ArrayList<>();
    private final List<Write> notes = new ArrayList<>();

    private LoadBalancerPlan(AddressPools pools, Snapshot now) {
        this.pools = pools;
        this.claims = AddressClaims.in(now);
        this.taken = TakenAddresses.in(now, claims);
    }

    /// First the addresses, then what is to be said about those that got none: a note that the API server
    /// refuses holds up no address.
    static List<Write> writes(AddressPools pools, Snapshot now) {
        LoadBalancerPlan plan = new LoadBalancerPlan(pools, now);
        now.services()
                .values()
                .filter(plan::isToServe)
                .sorted(TakenAddresses.OLDEST_FIRST)
                .forEach(plan::serve);
        return Stream.concat(plan.addresses.stream(), plan.notes.stream()).toList();
    }

    // Where the status names what is in no pool, another load balancer serves it, or the pool was taken away: it
    // stays.
    private boolean isToServe(Service service) {
        return LoadBalancers.isOurs(service) && LoadBalancers.hasFinalizer(service) && pools.haveAllOf(service);
    }

    private void serve(Service service) {
        LoadBalancerRequest request = LoadBalancerRequest.of(service);
        List<Ip> before = service.loadBalancer().vips();
        List<Ip> wanted = new ArrayList<>();
        List<String> problems = new ArrayList<>(request.problems());
        for (Family family : request.families()) {
            Optional<Ip> current =
                    taken.of(service.key()).filter(ip -> ip.family() == family).findFirst();
            Choice choice = Optional.ofNullable(request.asked().get(family))
                    .map(asked -> asked(asked, request.pool(), current))
                    .orElseGet(() -> any(request, family, current));
            choice.ip().or(() -> current).ifPresent(wanted::add);
            choice.problem().filter(_ -> !isOptional(service, request, family)).ifPresent(problems::add);
        }
        wanted.forEach(ip -> taken.give(ip, service.key()));
        wanted.forEach(ip -> addresses.addAll(claims.claim(ip, service)));
        if (!wanted.equals(before)) {
            give(service, wanted);
        }
        note(service, String.join("; ", problems));
    }

    /// An address, or why there is none.
    private record Choice(Optional<Ip> ip, Optional<String> problem) {
        static Choice of(Ip ip) {
            return new Choice(Optional.of(ip), Optional.empty());
        }

        static Choice none(String problem) {
            return new Choice(Optional.empty(), Optional.of(problem));
        }
    }

    private Choice asked(Asked asked, String poolName, Optional<Ip> current) {
        Ip ip = asked.ip();
        Optional<AddressPool> pool = pools.poolOf(ip);
        if (pool.isEmpty()) {
            return Choice.none("%s: %s is in no pool; there are: %s".formatted(asked.field(), ip, pools.names()));
        }
        if (!poolName.isEmpty() && !pool.get().name().equals(poolName)) {
            return Choice.none("%s: %s is in pool %s, not in %s"
                    .formatted(asked.field(), ip, pool.get().name(), poolName));
        }
        return current.filter(ip::equals)
                .map(Choice::of)
                .or(() -> taken.reason(ip).map(why -> Choice.none("%s: %s %s".formatted(asked.field(), ip, why))))
                .orElseGet(() -> Choice.of(ip));
    }

    private Choice any(LoadBalancerRequest request, Family family, Optional<Ip> current) {
        Optional<AddressPool> named = pools.find(request.pool());
        if (!request.pool().isEmpty() && named.isEmpty()) {
            return Choice.none("%s: there is no pool \"%s\"; there are: %s"
                    .formatted(LoadBalancerRequest.POOL_FIELD, request.pool(), pools.names()));
        }
        List<AddressPool> from = named.map(List::of).orElse(pools.pools()).stream()
                .filter(pool -> pool.has(family))
                .toList();
        if (from.isEmpty()) {
            return Choice.none("no pool%s has %s addresses"
                    .formatted(named.map(p -> " " + p.name()).orElse(""), family));
        }
        return current.filter(ip -> from.stream().anyMatch(pool -> pool.contains(ip)))
                .or(() -> from.stream()
                        .flatMap(pool -> pool.findFirst(family, taken).stream())
                        .findFirst())
                .map(Choice::of)
                .orElseGet(() -> Choice.none("no %s address is free in %s"
                        .formatted(
                                family, from.stream().map(AddressPool::toString).collect(Collectors.joining(" or ")))));
    }

    /// A Service that only prefers two families does without the second.
    private boolean isOptional(Service service, LoadBalancerRequest request, Family family) {
        return service.policies().families() == FamilyPolicy.PREFER_DUAL_STACK
                && request.families().getFirst() != family
                && pools.pools().stream().noneMatch(pool -> pool.has(family));
    }

    private void give(Service service, List<Ip> ips) {
        ObjectNode status = Json.object();
        ArrayNode ingress = status.putObject("loadBalancer").putArray("ingress");
        ips.forEach(ip -> ingress.addObject().put("ip", ip.toString()).put("ipMode", "VIP"));
        addresses.add(new Write.UpdateStatus(
                Kind.SERVICE,
                service.key(),
                status,
                service.metadata().revision().toString()));
        String given = ips.stream()
                .map(ip -> "%s from pool %s"
                        .formatted(ip, pools.poolOf(ip).map(AddressPool::name).orElse("")))
                .collect(Collectors.joining(", "));
        if (!ips.isEmpty()) {
            addresses.add(report(service, "Normal", "AddressAllocated", "the Service is reached at " + given));
        }
    }

    private void note(Service service, String problem) {
        String told = service.metadata().annotations().getOrDefault(PROBLEM, "");
        if (problem.equals(told)) {
            return;
        }
        ObjectNode patch = Json.object();
        ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
        if (problem.isEmpty()) {
            annotations.putNull(PROBLEM);
        } else {
            annotations.put(PROBLEM, problem);
        }
        notes.add(new Write.MergePatch(Kind.SERVICE, service.key(), patch));
        if (!problem.isEmpty()) {
            notes.add(report(service, "Warning", "AddressNotAllocated", problem));
        }
    }

    private static Write report(Service service, String type, String reason, String sentence) {
        return new Write.Report(
                new EventDraft(Kind.SERVICE, service.key(), service.metadata().uid(), type, reason, sentence));
    }
}
