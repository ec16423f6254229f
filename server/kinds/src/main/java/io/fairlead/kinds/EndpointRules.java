package io.fairlead.kinds;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation;
import io.fairlead.api.NameValidation.LetterCase;
import io.fairlead.api.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of the two kinds that list endpoints.
final class EndpointRules {
    private static final int MOST_SHOWN = 3;

    private EndpointRules() {}

    /// The row of EndpointSlice.
    record Slice(LetterCase letterCase) implements KindRules {
        @Override
        public Kind kind() {
            return Kind.ENDPOINT_SLICE;
        }

        @Override
        public Optional<String> nameProblem(String name) {
            return NameValidation.subdomain(letterCase, name);
        }

        @Override
        public void fillDefaults(ObjectNode slice) {
            for (ObjectNode port : Tree.objects(slice, "ports")) {
                Tree.putIfAbsent(port, "protocol", "TCP");
                if (!port.has("name")) {
                    port.put("name", "");
                }
            }
            for (ObjectNode endpoint : Tree.objects(slice, "endpoints")) {
                Tree.object(endpoint, "conditions");
            }
            Tree.putNullIfAbsent(slice, "endpoints");
            Tree.putNullIfAbsent(slice, "ports");
        }

        @Override
        public boolean hasGeneration() {
            return true;
        }

        /// The labels say whose slice it is, so they count, too.
        @Override
        public boolean changesGeneration(JsonNode old, JsonNode slice) {
            return KindRules.super.changesGeneration(old, slice)
                    || !Json.at(old, "metadata", "labels").equals(Json.at(slice, "metadata", "labels"));
        }

        @Override
        public List<Problem> check(JsonNode slice) {
            return EndpointValidation.checkSlice(slice);
        }

        @Override
        public List<Problem> checkUpdate(JsonNode old, JsonNode slice) {
            return EndpointValidation.checkSliceUpdate(old, slice);
        }

        @Override
        public List<Column> columns() {
            return List.of(
                    Column.NAME,
                    Column.text("AddressType", KindRules.field("addressType")),
                    Column.text("Ports", slice -> portNumbers(slice)),
                    Column.text("Endpoints", slice -> addresses(slice)),
                    Column.AGE);
        }

        private static String portNumbers(JsonNode slice) {
            List<String> ports = Json.list(slice, port -> Integer.toString(Json.number(port, 0, "port")), "ports");
            return ports.isEmpty() ? "<unset>" : some(ports);
        }

        private static String addresses(JsonNode slice) {
            List<String> all = slice.path("endpoints")
                    .valueStream()
                    .flatMap(endpoint -> Json.texts(endpoint, "addresses").stream())
                    .toList();
            return all.isEmpty() ? "<unset>" : some(all);
        }
    }

    /// The row of Endpoints.
    record Whole(LetterCase letterCase) implements KindRules {
        @Override
        public Kind kind() {
            return Kind.ENDPOINTS;
        }

        @Override
        public Optional<String> nameProblem(String name) {
            return NameValidation.subdomain(letterCase, name);
        }

        @Override
        public void fillDefaults(ObjectNode endpoints) {
            for (ObjectNode subset : Tree.objects(endpoints, "subsets")) {
                Tree.objects(subset, "ports").forEach(port -> Tree.putIfAbsent(port, "protocol", "TCP"));
            }
        }

        @Override
        public List<Problem> check(JsonNode endpoints) {
            return EndpointValidation.checkEndpoints(endpoints);
        }

        @Override
        public boolean createsOnUpdate() {
            return true;
        }

        @Override
        public List<Column> columns() {
            return List.of(Column.NAME, Column.text("Endpoints", endpoints -> addresses(endpoints)), Column.AGE);
        }

        private static String addresses(JsonNode endpoints) {
            return some(endpoints
                    .path("subsets")
                    .valueStream()
                    .flatMap(Whole::addressesOf)
                    .toList());
        }

        private static Stream<String> addressesOf(JsonNode subset) {
            List<Integer> ports = Json.list(subset, port -> Json.number(port, 0, "port"), "ports");
            return subset.path("addresses")
                    .valueStream()
                    .flatMap(address -> ports.stream().map(port -> Json.text(address, "ip") + ":" + port));
        }
    }

    /// A list as a table shows it: the first few, and how many more there are.
    private static String some(List<String> all) {
        String shown = String.join(",", all.subList(0, Math.min(all.size(), MOST_SHOWN)));
        return all.size() <= MOST_SHOWN ? shown : shown + " + " + (all.size() - MOST_SHOWN) + " more...";
    }
}
