package io.fairlead.workloads;

import io.fairlead.api.Json;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A short name for the content of a pod template: the same whatever the order of its fields, and whether those that
/// say nothing are there (clients that parse objects and print them again add `{}` and `null`).
final class TemplateHash {
    /// No vowels and nothing that looks like another: a hash never spells a word and is easy to read out.
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int LENGTH = 10;

    private TemplateHash() {}

    static String of(JsonNode template) {
        BigInteger number = new BigInteger(1, sha256(Json.bytes(sorted(template))));
        BigInteger base = BigInteger.valueOf(LETTERS.length());
        StringBuilder text = new StringBuilder();
        while (text.length() < LENGTH) {
            text.append(LETTERS.charAt(number.mod(base).intValue()));
            number = number.divide(base);
        }
        return text.toString();
    }

    private static JsonNode sorted(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                Map<String, JsonNode> fields = new TreeMap<>();
                object.propertyStream()
                        .filter(field -> !saysNothing(field.getValue()))
                        .forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
                yield Json.object().setAll(fields);
            }
            case ArrayNode array -> {
                ArrayNode copy = array.arrayNode();
                array.forEach(item -> copy.add(sorted(item)));
                yield copy;
            }
            default -> node;
        };
    }

    private static boolean saysNothing(JsonNode value) {
        return value.isNull() || (value.isContainer() && value.isEmpty());
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
