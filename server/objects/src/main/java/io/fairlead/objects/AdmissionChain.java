package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.PodSecurityAdmission;
import java.util.List;

/// All that have a say in the writes of one server, one after the other.
final class AdmissionChain {
    private final List<Admission> admissions;
    private final KindTable kinds;
    private final WatchCache cache;

    AdmissionChain(List<? extends Admission> admissions, KindTable kinds, WatchCache cache) {
        this.admissions = List.copyOf(admissions);
        this.kinds = kinds;
        this.cache = cache;
    }

    void admit(Admission.Attempt attempt) {
        admissions.forEach(admission -> admission.admit(attempt));
    }

    void check(Admission.Attempt attempt) {
        admissions.forEach(admission -> admission.check(attempt));
    }

    /// What clients write is held to the security policy of its namespace; what the server itself writes is not.
    void refuseInsecure(Admission.Attempt attempt, UpdatePart part, Author author) {
        Kind kind = attempt.kind();
        boolean changes = part == UpdatePart.SPEC || part == UpdatePart.EPHEMERAL_CONTAINERS;
        if (changes && author.guard().isPresent() && PodSecurityAdmission.concerns(kind)) {
            String namespace = Json.text(attempt.object(), "metadata", "namespace");
            ApiObject found = cache.of(Kind.NAMESPACE)
                    .find(new NamespacedName("", namespace))
                    .orElseThrow(() -> StatusException.notFound(Kind.NAMESPACE, namespace));
            kinds.podSecurity()
                    .refusal(kind, attempt.old(), attempt.object(), found.tree())
                    .ifPresent(why -> {
                        throw StatusException.forbidden(kind, Json.text(attempt.object(), "metadata", "name"), why);
                    });
        }
    }
}
