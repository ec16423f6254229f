package io.fairlead.routes;

import io.fairlead.api.Ingress;
import io.fairlead.api.IngressClass;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.Set;

/// Which Ingresses are ours: those of a class that names our controller.
///
/// @param controller what `spec.controller` of our classes says
/// @param legacyClass the class of that name is ours by the old annotation, also where no IngressClass has it
/// @param withoutClass whether an Ingress that names no class is ours
/// @param refused profiles that nginx did not take: an Ingress that needs one is left out
public record Ownership(String controller, String legacyClass, boolean withoutClass, Set<Profile> refused) {
    public static final String CONTROLLER = "fairlead.io/ingress";

    /// What users of the controller that was have in their classes: theirs are ours where asked for.
    public static final String NGINX_CONTROLLER = "k8s.io/ingress-nginx";

    public static final Ownership DEFAULT = new Ownership(CONTROLLER, "fairlead", false, Set.of());

    public Ownership {
        refused = Set.copyOf(refused);
    }

    public Ownership refusing(Set<Profile> profiles) {
        return new Ownership(controller, legacyClass, withoutClass, profiles);
    }

    boolean owns(Snapshot snapshot, Ingress ingress) {
        String named = ingress.className().isEmpty()
                ? ingress.metadata().annotations().getOrDefault(Ingress.CLASS_ANNOTATION, "")
                : ingress.className();
        if (named.isEmpty()) {
            return withoutClass
                    || snapshot.ingressClasses().values().anyMatch(known -> known.isDefault() && isOurs(known));
        }
        return snapshot.ingressClasses()
                .find(new NamespacedName("", named))
                .map(this::isOurs)
                .orElse(named.equals(legacyClass));
    }

    private boolean isOurs(IngressClass known) {
        return known.controller().equals(controller);
    }
}
