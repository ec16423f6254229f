package io.fairlead.api;

import io.fairlead.api.Node.Taint;
import tools.jackson.databind.JsonNode;

/// A pod's consent to be on a node in spite of taints. An empty `key` or `effect` means any; `seconds` bounds how long
/// it bears a `NoExecute`.
public record Toleration(String key, boolean anyValue, String value, String effect, int seconds) {
    public static final int FOREVER = Integer.MAX_VALUE;

    static Toleration of(JsonNode json) {
        return new Toleration(
                Json.text(json, "key"),
                Json.text(json, "operator").equals("Exists"),
                Json.text(json, "value"),
                Json.text(json, "effect"),
                Json.number(json, FOREVER, "tolerationSeconds"));
    }

    public boolean tolerates(Taint taint) {
        return (key.isEmpty() ? anyValue : key.equals(taint.key()))
                && (anyValue || value.equals(taint.value()))
                && (effect.isEmpty() || effect.equals(taint.effect()));
    }
}
