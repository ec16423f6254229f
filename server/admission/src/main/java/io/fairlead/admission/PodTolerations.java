package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lets a pod stay for five minutes on a node that is gone or not ready, unless it says something else.
final class PodTolerations implements Admission {
    private static final int SECONDS = 300;
    private static final List<String> TAINTS =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    @Override
    public void admit(Attempt attempt) {
        if (!attempt.kind().equals(Kind.POD)) {
            return;
        }
        ObjectNode spec = Tree.object(attempt.object(), "spec");
        for (String taint : TAINTS) {
            if (spec.path("tolerations").valueStream().noneMatch(toleration -> tolerates(toleration, taint))) {
                spec.withArrayProperty("tolerations")
                        .addObject()
                        .put("key", taint)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", SECONDS);
            }
        }
    }

    private static boolean tolerates(JsonNode toleration, String taint) {
        String key = Json.text(toleration, "key");
        String effect = Json.text(toleration, "effect");
        return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals("NoExecute"));
    }
}
