package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// How a container is run, beside what it runs.
public record ContainerSettings(
        SecurityContext security,
        Resources resources,
        Hook postStart,
        Hook preStop,
        TerminationMessage terminationMessage,
        String imagePullPolicy) {

    /// Where a container leaves its last words; by the policy `FallbackToLogsOnError` its log has them too.
    public record TerminationMessage(String path, String policy) {
        private static TerminationMessage of(JsonNode json) {
            String path = Json.text(json, "terminationMessagePath");
            return new TerminationMessage(
                    path.isEmpty() ? "/dev/termination-log" : path, Json.text(json, "terminationMessagePolicy"));
        }

        public boolean fallsBackToLogs() {
            return policy.equals("FallbackToLogsOnError");
        }
    }

    /// What is done when a container has started, or before it is asked to end.
    public sealed interface Hook {
        record None() implements Hook {}

        record Exec(List<String> command) implements Hook {}

        record Http(Probe.Action.HttpGet get) implements Hook {}

        record Sleep(int seconds) implements Hook {}

        private static Hook of(JsonNode json) {
            if (json.path("exec").isObject()) {
                return new Exec(Json.texts(json.path("exec"), "command"));
            }
            if (json.path("sleep").isObject()) {
                return new Sleep(Json.number(json, 0, "sleep", "seconds"));
            }
            return Probe.of(json).action() instanceof Probe.Action.HttpGet get ? new Http(get) : new None();
        }
    }

    static ContainerSettings of(JsonNode json) {
        String policy = Json.text(json, "imagePullPolicy");
        return new ContainerSettings(
                SecurityContext.of(json.path("securityContext")),
                Resources.of(json.path("resources")),
                Hook.of(json.path("lifecycle").path("postStart")),
                Hook.of(json.path("lifecycle").path("preStop")),
                TerminationMessage.of(json),
                policy.isEmpty() ? defaultPolicy(Json.text(json, "image")) : policy);
    }

    /// An image that means another one tomorrow is asked for each time.
    private static String defaultPolicy(String image) {
        String last = image.substring(image.lastIndexOf('/') + 1);
        boolean moves = !last.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
        return moves ? "Always" : "IfNotPresent";
    }
}
