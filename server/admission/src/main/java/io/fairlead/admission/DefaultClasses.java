package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.StorageRules;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.WatchCache;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/// Gives claims and Ingresses that name no class the default one: the newest, and of several of one second the first by
/// name.
final class DefaultClasses implements Admission {
    private static final String INGRESS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";
    private static final String INGRESS_OLD = "kubernetes.io/ingress.class";

    private final WatchCache cache;

    DefaultClasses(WatchCache cache) {
        this.cache = cache;
    }

    @Override
    public void admit(Attempt attempt) {
        boolean hasClass = attempt.kind().equals(Kind.PERSISTENT_VOLUME_CLAIM)
                || attempt.kind().equals(Kind.INGRESS);
        if (!attempt.isNew() || !hasClass) {
            return;
        }
        ObjectNode spec = Tree.object(attempt.object(), "spec");
        if (attempt.kind().equals(Kind.PERSISTENT_VOLUME_CLAIM) && !spec.has("storageClassName")) {
            newest(Kind.STORAGE_CLASS, object -> StorageRules.isDefault(object.tree()))
                    .ifPresent(name -> spec.put("storageClassName", name));
        } else if (attempt.kind().equals(Kind.INGRESS)
                && !spec.has("ingressClassName")
                && !Json.at(attempt.object(), "metadata", "annotations").has(INGRESS_OLD)) {
            newest(Kind.INGRESS_CLASS, DefaultClasses::isDefault).ifPresent(name -> spec.put("ingressClassName", name));
        }
    }

    private static boolean isDefault(ApiObject ingressClass) {
        return Json.map(ingressClass.tree(), "metadata", "annotations")
                .getOrDefault(INGRESS_DEFAULT, "")
                .equals("true");
    }

    private Optional<String> newest(Kind kind, Predicate<ApiObject> isDefault) {
        return cache.of(kind).list("").items().stream()
                .filter(isDefault)
                .min(Comparator.comparing(DefaultClasses::created)
                        .reversed()
                        .thenComparing(object -> object.key().name()))
                .map(object -> object.key().name());
    }

    private static String created(ApiObject object) {
        return Json.text(object.tree(), "metadata", "creationTimestamp");
    }
}
