package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules for the kinds that hold what pods are configured with: ConfigMap and Secret.
public final class ConfigValidation {
    /// The most bytes that one of them holds, keys not counted.
    static final int SIZE_LIMIT = 1024 * 1024;

    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final String FROZEN = "field is immutable when `immutable` is set";
    private static final Map<String, List<String>> KEYS_OF_TYPE = Map.of(
            "kubernetes.io/dockercfg", List.of(".dockercfg"),
            "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
            "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
            "kubernetes.io/tls", List.of("tls.crt", "tls.key"));

    private ConfigValidation() {}

    public static List<Problem> checkConfigMap(JsonNode configMap) {
        FieldValidation root = FieldValidation.of(configMap);
        root.flag("immutable", false);
        Set<String> seen = new HashSet<>();
        long size = 0;
        for (Map.Entry<String, String> entry : root.map("data").entrySet()) {
            checkKey(root, "data", entry.getKey());
            seen.add(entry.getKey());
            size += entry.getValue().length();
        }
        for (Map.Entry<String, String> entry : root.map("binaryData").entrySet()) {
            checkKey(root, "binaryData", entry.getKey());
            if (!seen.add(entry.getKey())) {
                root.invalid("binaryData[" + entry.getKey() + "]", entry.getKey(), "duplicate of key present in data");
            }
            size += decodedLength(root, "binaryData", entry);
        }
        checkSize(root, size);
        return root.problems();
    }

    public static List<Problem> checkSecret(JsonNode secret) {
        FieldValidation root = FieldValidation.of(secret);
        root.flag("immutable", false);
        root.map("stringData");
        Map<String, String> values = root.map("data");
        long size = 0;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            checkKey(root, "data", entry.getKey());
            size += decodedLength(root, "data", entry);
        }
        checkSize(root, size);
        KEYS_OF_TYPE.getOrDefault(root.text("type"), List.of()).stream()
                .filter(key -> !values.containsKey(key))
                .forEach(key -> root.required("data[" + key + "]", ""));
        checkType(root, values);
        return root.problems();
    }

    private static void checkType(FieldValidation root, Map<String, String> values) {
        switch (root.text("type")) {
            case "kubernetes.io/basic-auth" -> {
                if (!values.containsKey("username") && !values.containsKey("password")) {
                    root.required("data[username]", "");
                    root.required("data[password]", "");
                }
            }
            case "kubernetes.io/service-account-token" -> {
                FieldValidation annotations = root.object("metadata").object("annotations");
                if (annotations.text("kubernetes.io/service-account.name").isEmpty()) {
                    root.object("metadata").required("annotations[kubernetes.io/service-account.name]", "");
                }
            }
            default -> {}
        }
    }

    public static List<Problem> checkConfigMapUpdate(JsonNode old, JsonNode configMap) {
        return checkFrozen(old, configMap, List.of("data", "binaryData"));
    }

    public static List<Problem> checkSecretUpdate(JsonNode old, JsonNode secret) {
        List<Problem> problems = new ArrayList<>(checkFrozen(old, secret, List.of("data")));
        String type = Json.text(secret, "type");
        if (!type.equals(Json.text(old, "type"))) {
            problems.add(Problem.invalid("type", type, "field is immutable"));
        }
        return problems;
    }

    private static List<Problem> checkFrozen(JsonNode old, JsonNode next, List<String> fields) {
        if (!Json.flag(old, false, "immutable")) {
            return List.of();
        }
        FieldValidation root = FieldValidation.of(next);
        if (!root.flag("immutable", false)) {
            root.forbidden("immutable", FROZEN);
        }
        fields.stream()
                .filter(field -> !Json.map(old, field).equals(Json.map(next, field)))
                .forEach(field -> root.forbidden(field, FROZEN));
        return root.problems();
    }

    private static void checkKey(FieldValidation root, String field, String key) {
        boolean fits = key.length() <= 253 && KEY.matcher(key).matches() && !key.equals(".") && !key.startsWith("..");
        if (!fits) {
            root.invalid(
                    field + "[" + key + "]",
                    key,
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.', at most 253 of them,"
                            + " and must not be '.' or begin with '..'");
        }
    }

    private static long decodedLength(FieldValidation root, String field, Map.Entry<String, String> entry) {
        try {
            return Base64.getDecoder().decode(entry.getValue()).length;
        } catch (IllegalArgumentException e) {
            // The value may be a password: it is not repeated.
            root.invalid(field + "[" + entry.getKey() + "]", "", "must be base64");
            return 0;
        }
    }

    private static void checkSize(FieldValidation root, long size) {
        if (size > SIZE_LIMIT) {
            root.invalid("data", size + " bytes", "Too long: must have at most " + SIZE_LIMIT + " bytes");
        }
    }
}
