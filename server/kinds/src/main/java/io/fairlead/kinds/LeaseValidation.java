package io.fairlead.kinds;

import io.fairlead.api.Problem;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rules for Lease.
public final class LeaseValidation {
    private LeaseValidation() {}

    public static List<Problem> check(JsonNode lease) {
        FieldValidation root = FieldValidation.of(lease);
        FieldValidation spec = root.object("spec");
        int seconds = spec.number("leaseDurationSeconds", 1);
        if (seconds <= 0) {
            spec.invalid("leaseDurationSeconds", seconds, "must be greater than 0");
        }
        int transitions = spec.number("leaseTransitions", 0);
        if (transitions < 0) {
            spec.invalid("leaseTransitions", transitions, "must be greater than or equal to 0");
        }
        List.of("holderIdentity", "acquireTime", "renewTime").forEach(spec::text);
        return root.problems();
    }
}
