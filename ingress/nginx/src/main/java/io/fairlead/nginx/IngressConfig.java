package io.fairlead.nginx;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.Interest;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.NginxLayout;
import java.time.Duration;
import java.util.List;

/// How an Ingress controller is asked to run.
///
/// @param program the nginx to start
/// @param ownership which Ingresses are ours
/// @param certificate the PEM, with its key, for names without a certificate
/// @param sources the objects that hold for all Ingresses
/// @param addresses what `status.loadBalancer.ingress` of every Ingress says
/// @param identity who we are among several controllers
/// @param reloadInterval at least so long is between two reloads
/// @param mostOldWorkers while so many workers of earlier configurations still finish, a reload waits
public record IngressConfig(
        NginxLayout place,
        String program,
        IngressOwnership ownership,
        String certificate,
        Sources sources,
        List<String> addresses,
        String identity,
        Duration reloadInterval,
        int mostOldWorkers) {
    /// With about 15 MB each, this is half a gigabyte.
    public static final int MOST_OLD_WORKERS = 32;

    /// The ConfigMaps and the Secret that hold for all; an empty name for none.
    public record Sources(NamespacedName settings, NamespacedName tcp, NamespacedName udp, NamespacedName certificate) {
        private static final NamespacedName NO_NAME = new NamespacedName("", "");
        public static final Sources NONE = new Sources(NO_NAME, NO_NAME, NO_NAME, NO_NAME);
    }

    public IngressConfig {
        addresses = List.copyOf(addresses);
    }

    /// What the Snapshots of a controller must hold.
    public static List<Interest> interests() {
        return List.of(
                Interest.all(Kind.INGRESS),
                Interest.all(Kind.INGRESS_CLASS),
                Interest.all(Kind.SERVICE),
                Interest.all(Kind.ENDPOINT_SLICE),
                Interest.all(Kind.SECRET),
                Interest.all(Kind.CONFIG_MAP));
    }
}
