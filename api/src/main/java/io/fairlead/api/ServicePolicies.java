package io.fairlead.api;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// How a Service wants its connections led.
///
/// - `internal` is for connections to its cluster addresses, `external` for those to all its other ones.
/// - `affinity` is how long a client is led to the endpoint it had; zero where each connection is on its own.
/// - `distribution` is which endpoints are better than others.
/// - `healthCheckNodePort` is where nodes tell balancers whether they have endpoints; 0 where they do not.
public record ServicePolicies(
        TrafficPolicy internal,
        TrafficPolicy external,
        Duration affinity,
        TrafficDistribution distribution,
        FamilyPolicy families,
        int healthCheckNodePort) {
    private static final int USUAL_AFFINITY_SECONDS = 10_800;

    /// What a Service has that says nothing.
    public static final ServicePolicies USUAL = new ServicePolicies(
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            Duration.ZERO,
            TrafficDistribution.ANY,
            FamilyPolicy.SINGLE_STACK,
            0);

    /// Whether connections may leave the node they came to.
    public enum TrafficPolicy {
        CLUSTER,
        LOCAL;

        static TrafficPolicy of(String text) {
            return text.equals("Local") ? LOCAL : CLUSTER;
        }
    }

    /// Which endpoints are preferred while they are there.
    public enum TrafficDistribution {
        ANY,
        SAME_ZONE,
        SAME_NODE;

        static TrafficDistribution of(String text) {
            return switch (text) {
                case "PreferSameZone", "PreferClose" -> SAME_ZONE;
                case "PreferSameNode" -> SAME_NODE;
                default -> ANY;
            };
        }
    }

    /// How many families of addresses a Service asks for.
    public enum FamilyPolicy {
        SINGLE_STACK,
        PREFER_DUAL_STACK,
        REQUIRE_DUAL_STACK;

        static FamilyPolicy of(String text) {
            return switch (text) {
                case "PreferDualStack" -> PREFER_DUAL_STACK;
                case "RequireDualStack" -> REQUIRE_DUAL_STACK;
                default -> SINGLE_STACK;
            };
        }
    }

    static ServicePolicies of(JsonNode spec) {
        ServicePolicies policies = new ServicePolicies(
                TrafficPolicy.of(Json.text(spec, "internalTrafficPolicy")),
                TrafficPolicy.of(Json.text(spec, "externalTrafficPolicy")),
                affinity(spec),
                TrafficDistribution.of(Json.text(spec, "trafficDistribution")),
                FamilyPolicy.of(Json.text(spec, "ipFamilyPolicy")),
                Json.number(spec, 0, "healthCheckNodePort"));
        return policies.equals(USUAL) ? USUAL : policies; // most Services: one object for all of them
    }

    private static Duration affinity(JsonNode spec) {
        if (!Json.text(spec, "sessionAffinity").equals("ClientIP")) {
            return Duration.ZERO;
        }
        return Duration.ofSeconds(
                Json.number(spec, USUAL_AFFINITY_SECONDS, "sessionAffinityConfig", "clientIP", "timeoutSeconds"));
    }
}
