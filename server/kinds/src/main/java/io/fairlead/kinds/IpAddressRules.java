package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The row of IPAddress: who has which cluster address. One that a user makes by hand keeps Services off the address.
record IpAddressRules() implements KindRules {
    @Override
    public Kind kind() {
        return Kind.IP_ADDRESS;
    }

    @Override
    public Optional<String> nameProblem(String name) {
        return ServiceCidrValidation.addressName(name);
    }

    @Override
    public List<Problem> check(JsonNode address) {
        return ServiceCidrValidation.checkAddress(address);
    }

    @Override
    public List<Problem> checkUpdate(JsonNode old, JsonNode address) {
        return ServiceCidrValidation.checkAddressUpdate(old, address);
    }

    @Override
    public Map<String, Function<JsonNode, String>> fields() {
        return Map.of("metadata.name", KindRules.field("metadata", "name"));
    }

    @Override
    public List<Column> columns() {
        return List.of(Column.NAME, Column.text("ParentRef", IpAddressRules::parent), Column.AGE);
    }

    private static String parent(JsonNode address) {
        JsonNode parent = Json.at(address, "spec", "parentRef");
        String group = Json.text(parent, "group");
        String resource = Json.text(parent, "resource") + (group.isEmpty() ? "" : "." + group);
        Stream<String> parts =
                Stream.of(resource.toLowerCase(Locale.ROOT), Json.text(parent, "namespace"), Json.text(parent, "name"));
        return String.join("/", parts.filter(part -> !part.isEmpty()).toList());
    }
}
