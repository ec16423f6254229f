package io.fairlead.balancers;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a Service asks of its load balancer: addresses of these families, perhaps these ones, perhaps from this pool.
///
/// `pool` is empty where any will do; `problems` are sentences about what cannot be read.
record LoadBalancerRequest(List<Family> families, Map<Family, Asked> asked, String pool, List<String> problems) {
    static final String ADDRESSES = "fairlead.io/load-balancer-ips";
    static final String POOL = "fairlead.io/load-balancer-pool";
    static final String POOL_FIELD = "metadata.annotations[" + POOL + "]";

    /// One address, and the field that asks for it.
    record Asked(Ip ip, String field) {}

    static LoadBalancerRequest of(Service service) {
        Map<Family, Asked> asked = new EnumMap<>(Family.class);
        List<String> problems = new ArrayList<>();
        List<Family> families = families(service);
        String pool = service.metadata().annotations().getOrDefault(POOL, "").strip();
        LoadBalancerRequest request = new LoadBalancerRequest(families, asked, pool, problems);
        request.ask(service.loadBalancer().wantedIp(), "spec.loadBalancerIP");
        String list = service.metadata().annotations().getOrDefault(ADDRESSES, "");
        for (String text : list.split(",", -1)) {
            request.ask(text.strip(), "metadata.annotations[" + ADDRESSES + "]");
        }
        return request;
    }

    private void ask(String text, String field) {
        if (text.isEmpty()) {
            return;
        }
        Optional<Ip> ip = Ip.find(text);
        if (ip.isEmpty()) {
            problems.add("%s: \"%s\" is not an IP address".formatted(field, text));
        } else if (!families.contains(ip.get().family())) {
            problems.add("%s: %s is of a family that is not in spec.ipFamilies".formatted(field, text));
        } else {
            asked.put(ip.get().family(), new Asked(ip.get(), field)); // the annotation, which is read last, counts
        }
    }

    private static List<Family> families(Service service) {
        return service.families().isEmpty()
                ? service.clusterIps().stream().map(Ip::family).distinct().toList()
                : service.families();
    }
}
