package io.fairlead.kubectl;

import io.fairlead.api.Json;
import tools.jackson.databind.JsonNode;

/// The volumes of a pod: pure.
final class VolumesDescriber {
    private VolumesDescriber() {}

    static void describe(JsonNode volumes, Description to, String indent) {
        if (volumes.isEmpty()) {
            to.line("%sVolumes:\t%s".formatted(indent, Description.NONE));
            return;
        }
        to.line("%sVolumes:".formatted(indent));
        for (JsonNode volume : volumes) {
            to.line("%s%s:".formatted(indent.isEmpty() ? "  " : indent + " ", Json.text(volume, "name")));
            text(volume).lines().forEach(line -> to.line("    " + line));
        }
    }

    private static String text(JsonNode volume) {
        String type = volume.propertyNames().stream()
                .filter(name -> !name.equals("name"))
                .findFirst()
                .orElse("");
        JsonNode source = volume.path(type);
        return switch (type) {
            case "emptyDir" ->
                "Type:\tEmptyDir (a temporary directory that shares a pod's lifetime)\n"
                        + "Medium:\t%s\nSizeLimit:\t%s"
                                .formatted(
                                        Json.text(source, "medium"),
                                        source.path("sizeLimit").asString("<unset>"));
            case "hostPath" ->
                "Type:\tHostPath (bare host directory volume)\nPath:\t%s\nHostPathType:\t%s"
                        .formatted(Json.text(source, "path"), Json.text(source, "type"));
            case "configMap" ->
                "Type:\tConfigMap (a volume populated by a ConfigMap)\nName:\t%s\nOptional:\t%s"
                        .formatted(Json.text(source, "name"), Json.flag(source, false, "optional"));
            case "secret" ->
                "Type:\tSecret (a volume populated by a Secret)\nSecretName:\t%s\nOptional:\t%s"
                        .formatted(Json.text(source, "secretName"), Json.flag(source, false, "optional"));
            case "persistentVolumeClaim" ->
                "Type:\tPersistentVolumeClaim (a reference to a PersistentVolumeClaim in "
                        + "the same namespace)\nClaimName:\t%s\nReadOnly:\t%s"
                                .formatted(Json.text(source, "claimName"), Json.flag(source, false, "readOnly"));
            case "projected" -> projected(source);
            default -> "Type:\t" + type;
        };
    }

    private static String projected(JsonNode projected) {
        StringBuilder text =
                new StringBuilder("Type:\tProjected (a volume that contains injected data from multiple sources)");
        for (JsonNode source : projected.path("sources")) {
            JsonNode token = source.path("serviceAccountToken");
            if (source.has("secret")) {
                text.append("\nSecretName:\t%s\nSecretOptionalName:\t%s"
                        .formatted(Json.text(source, "secret", "name"), optional(source.path("secret"))));
            } else if (source.has("downwardAPI")) {
                text.append("\nDownwardAPI:\ttrue");
            } else if (source.has("configMap")) {
                text.append("\nConfigMapName:\t%s\nConfigMapOptional:\t%s"
                        .formatted(Json.text(source, "configMap", "name"), optional(source.path("configMap"))));
            } else if (token.isObject()) {
                text.append("\nTokenExpirationSeconds:\t%d".formatted(Json.number(token, 3600, "expirationSeconds")));
            }
        }
        return text.toString();
    }

    private static String optional(JsonNode source) {
        return source.path("optional").asString("<nil>");
    }
}
