package io.fairlead.balancers;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Write;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Which Service each address of a load balancer is claimed for: one Lease an address, which only one can write.
///
/// A claim comes before the address is in a status, so of several control planes that give an address at once one
/// succeeds. It is never taken back: who is given the address next takes it over.
final class AddressClaims {
    static final String LABEL = "fairlead.io/load-balancer-address";
    static final String NAMESPACE = "kube-system";

    private static final String PREFIX = "load-balancer-";
    private static final String REVISION = "fairlead.io/service-revision";

    private final Map<Ip, Lease> leases = new HashMap<>();
    private final Snapshot snapshot;

    private AddressClaims(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    static AddressClaims in(Snapshot snapshot) {
        AddressClaims claims = new AddressClaims(snapshot);
        snapshot.leases()
                .values()
                .filter(lease -> isClaim(lease.key()))
                .forEach(lease -> address(lease).ifPresent(ip -> claims.leases.put(ip, lease)));
        return claims;
    }

    static boolean isClaim(NamespacedName lease) {
        return lease.namespace().equals(NAMESPACE) && lease.name().startsWith(PREFIX);
    }

    static boolean isHeld(Ip ip, Service service, Snapshot snapshot) {
        return snapshot.leases()
                .find(new NamespacedName(NAMESPACE, name(ip)))
                .filter(lease -> lease.holder().equals(identity(service)))
                .isPresent();
    }

    /// The addresses that a Service has claimed and may still get, or has got, each with that Service.
    Map<Ip, NamespacedName> live() {
        Map<Ip, NamespacedName> live = new HashMap<>();
        leases.forEach((ip, lease) -> holder(lease)
                .filter(service -> mayHave(service, ip))
                .ifPresent(service -> live.put(ip, service.key())));
        return live;
    }

    /// What must be written before the status of `service` may name `ip`.
    List<Write> claim(Ip ip, Service service) {
        Lease lease = leases.get(ip);
        if (lease == null) {
            ObjectNode created = claimed(service);
            created.withObject("metadata")
                    .put("namespace", NAMESPACE)
                    .put("name", name(ip))
                    .putObject("labels")
                    .put(LABEL, "true");
            return List.of(new Write.Create(Kind.LEASE, created));
        }
        ObjectNode patch = claimed(service);
        patch.withObject("metadata")
                .put("resourceVersion", lease.metadata().revision().toString());
        if (lease.holder().equals(identity(service))) {
            return isOf(lease, service) ? List.of() : List.of(new Write.MergePatch(Kind.LEASE, lease.key(), patch));
        }
        String revision = holder(lease)
                .map(former -> former.metadata().revision().toString())
                .orElse("");
        String[] former = lease.holder().split("/", 3);
        return former.length < 3
                ? List.of(new Write.MergePatch(Kind.LEASE, lease.key(), patch))
                : List.of(new Write.TakeOver(
                        lease.key(),
                        patch,
                        new Write.Sight(new NamespacedName(former[0], former[1]), former[2], revision)));
    }

    /// A claim says which state of the Service it is for: a later one has to claim anew, so that no controller takes
    /// over by what it saw before. Once the status has the address the claim stays as it is.
    private static boolean isOf(Lease lease, Service service) {
        return service.loadBalancer().vips().stream()
                        .anyMatch(ip -> name(ip).equals(lease.key().name()))
                || service.metadata()
                        .revision()
                        .toString()
                        .equals(lease.metadata().annotations().get(REVISION));
    }

    /// The Service of a claim, as the Snapshot shows it.
    private Optional<Service> holder(Lease lease) {
        String[] parts = lease.holder().split("/", 3);
        return parts.length < 3
                ? Optional.empty()
                : snapshot.services()
                        .find(new NamespacedName(parts[0], parts[1]))
                        .filter(service -> service.metadata().uid().equals(parts[2]));
    }

    /// It has the address, or waits for one of that family.
    private static boolean mayHave(Service service, Ip ip) {
        List<Ip> has = service.loadBalancer().vips();
        Family family = ip.family();
        return has.contains(ip)
                || (LoadBalancers.isOurs(service) && has.stream().noneMatch(other -> other.family() == family));
    }

    private static ObjectNode claimed(Service service) {
        ObjectNode lease = Json.object();
        lease.putObject("metadata")
                .putObject("annotations")
                .put(REVISION, service.metadata().revision().toString());
        lease.putObject("spec").put("holderIdentity", identity(service));
        return lease;
    }

    private static String identity(Service service) {
        return service.key() + "/" + service.metadata().uid();
    }

    /// No name of an object has a colon in it.
    private static String name(Ip ip) {
        return PREFIX
                + switch (ip.family()) {
                    case IPV4 -> ip.toString();
                    case IPV6 -> HexFormat.of().formatHex(ip.bytes());
                };
    }

    private static Optional<Ip> address(Lease lease) {
        String text = lease.key().name().substring(PREFIX.length());
        return text.matches("[0-9a-f]{32}") ? Optional.of(Ip.of(HexFormat.of().parseHex(text))) : Ip.find(text);
    }
}
