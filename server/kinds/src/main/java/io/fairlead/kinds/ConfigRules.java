package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the kinds that hold what pods are configured with.
final class ConfigRules {
    private ConfigRules() {}

    static KindRules configMap() {
        return KindRow.of(Kind.CONFIG_MAP, Column.NAME, Column.count("Data", "data", "binaryData"), Column.AGE)
                .checked(ConfigValidation::checkConfigMap)
                .checkedChange(ConfigValidation::checkConfigMapUpdate);
    }

    /// The row of Secret.
    record Secret() implements KindRules {
        @Override
        public Kind kind() {
            return Kind.SECRET;
        }

        /// What a client wrote as plain text is kept as the rest is: `stringData` is only ever sent, never read.
        @Override
        public void fillDefaults(ObjectNode secret) {
            Tree.putIfAbsent(secret, "type", "Opaque");
            if (!secret.path("stringData").valueStream().allMatch(JsonNode::isString)) {
                return;
            }
            if (!secret.path("stringData").isEmpty()) {
                ObjectNode values = Tree.object(secret, "data");
                Json.map(secret, "stringData").forEach((key, text) -> values.put(key, base64(text)));
            }
            secret.remove("stringData");
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public List<Problem> check(JsonNode secret) {
            return ConfigValidation.checkSecret(secret);
        }

        @Override
        public List<Problem> checkUpdate(JsonNode old, JsonNode secret) {
            return ConfigValidation.checkSecretUpdate(old, secret);
        }

        @Override
        public Map<String, Function<JsonNode, String>> fields() {
            return KindRules.fieldsAt("type");
        }

        @Override
        public List<Column> columns() {
            return List.of(
                    Column.NAME,
                    Column.text("Type", KindRules.field("type")),
                    Column.count("Data", "data"),
                    Column.AGE);
        }
    }
}
