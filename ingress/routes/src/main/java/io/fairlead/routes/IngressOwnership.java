package io.fairlead.routes;

import io.fairlead.api.Ingress;
import io.fairlead.api.IngressClass;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Which Ingresses are ours: those of a class that names our controller.
///
/// @param controller what `spec.controller` of our classes says
/// @param legacyClass the class of that name is ours by the old annotation, also where no IngressClass has it
/// @param withoutClass whether an Ingress that names no class is ours
/// @param refused what nginx did not take, or cannot do: an Ingress that needs it is left out
public record IngressOwnership(String controller, String legacyClass, boolean withoutClass, Refused refused) {
    /// What an Ingress cannot have here.
    ///
    /// @param profiles sets of options that nginx did not take
    /// @param ingresses those whose own part of the configuration it did not take
    /// @param annotations what this nginx cannot do, for want of a module
    public record Refused(Set<Profile> profiles, Set<NamespacedName> ingresses, Set<Annotation> annotations) {
        public static final Refused NOTHING = new Refused(Set.of(), Set.of(), Set.of());

        public Refused {
            profiles = Set.copyOf(profiles);
            ingresses = Set.copyOf(ingresses);
            annotations = Set.copyOf(annotations);
        }

        List<String> problems(NamespacedName ingress, Options options) {
            List<String> problems = new ArrayList<>();
            if (ingresses.contains(ingress)
                    || profiles.contains(Profile.of(options, false))
                    || profiles.contains(Profile.of(options, true))) {
                problems.add("nginx refuses the configuration that it asks for");
            }
            annotations.stream()
                    .filter(options::has)
                    .sorted()
                    .forEach(annotation -> problems.add(annotation.word() + ": needs the Lua module of nginx"));
            return problems;
        }
    }

    public static final String CONTROLLER = "fairlead.io/ingress";

    /// What users of the controller that was have in their classes: theirs are ours where asked for.
    public static final String NGINX_CONTROLLER = "k8s.io/ingress-nginx";

    public static final IngressOwnership DEFAULT = new IngressOwnership(CONTROLLER, "fairlead", false, Refused.NOTHING);

    public IngressOwnership refusing(Refused refused) {
        return new IngressOwnership(controller, legacyClass, withoutClass, refused);
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
