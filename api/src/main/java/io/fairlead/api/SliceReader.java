package io.fairlead.api;

import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.EndpointSlice.Hints;
import io.fairlead.api.EndpointSlice.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// One EndpointSlice from a stream of tokens: the same record that [EndpointSlice#of] makes of a tree.
final class SliceReader {
    private final JsonParser json;
    private final SharedTexts texts;
    private JsonNode metadata = MissingNode.getInstance();
    private String addressType = "";
    private List<Endpoint> endpoints = List.of();
    private List<Port> ports = List.of();

    SliceReader(JsonParser json, SharedTexts texts) {
        this.json = json;
        this.texts = texts;
    }

    /// From the token that begins the object to the one that ends it.
    EndpointSlice read() {
        for (String field = json.nextName(); field != null; field = json.nextName()) {
            json.nextToken();
            switch (field) {
                case "metadata" -> metadata = new TreeReader(json).read();
                case "addressType" -> addressType = text();
                case "endpoints" -> endpoints = endpoints();
                case "ports" -> ports = Json.list(json.readValueAsTree(), Port::of);
                default -> json.skipChildren();
            }
        }
        return new EndpointSlice(ObjectMeta.ofMetadata(metadata), addressType, endpoints, ports);
    }

    private List<Endpoint> endpoints() {
        if (!json.isExpectedStartArrayToken()) {
            json.skipChildren();
            return List.of();
        }
        List<Endpoint> all = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            all.add(
                    json.isExpectedStartObjectToken()
                            ? new EndpointReader().read()
                            : Endpoint.of(json.readValueAsTree()));
        }
        return List.copyOf(all);
    }

    /// The text of the current token, if it is one; whatever else it is, is passed over.
    private String text() {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return texts.shared(json.getString());
        }
        json.skipChildren();
        return "";
    }

    private boolean flag(boolean otherwise) {
        JsonToken token = json.currentToken();
        json.skipChildren();
        return token == JsonToken.VALUE_TRUE || (token != JsonToken.VALUE_FALSE && otherwise);
    }

    /// One endpoint while it is read.
    private final class EndpointReader {
        private List<Ip> addresses = List.of();
        private boolean ready = true;
        private boolean serving = true;
        private boolean terminating;
        private String nodeName = "";
        private String podName = "";
        private String podUid = "";
        private String hostname = "";
        private String zone = "";
        private Hints hints = Hints.NONE;

        Endpoint read() {
            for (String field = json.nextName(); field != null; field = json.nextName()) {
                json.nextToken();
                switch (field) {
                    case "addresses" -> addresses = addresses();
                    case "conditions" -> conditions();
                    case "nodeName" -> nodeName = text();
                    case "targetRef" -> target();
                    case "hostname" -> hostname = text();
                    case "zone" -> zone = text();
                    case "hints" -> hints = Hints.of(json.readValueAsTree());
                    default -> json.skipChildren();
                }
            }
            return new Endpoint(
                    addresses, ready, serving, terminating, nodeName, podName, podUid, hostname, zone, hints);
        }

        private List<Ip> addresses() {
            if (!json.isExpectedStartArrayToken()) {
                json.skipChildren();
                return List.of();
            }
            List<Ip> ips = new ArrayList<>(1);
            while (json.nextToken() != JsonToken.END_ARRAY) {
                Optional<Ip> ip =
                        json.currentToken() == JsonToken.VALUE_STRING ? Ip.find(json.getString()) : Optional.empty();
                json.skipChildren();
                ip.ifPresent(ips::add);
            }
            return List.copyOf(ips);
        }

        private void conditions() {
            if (!json.isExpectedStartObjectToken()) {
                json.skipChildren();
                return;
            }
            for (String field = json.nextName(); field != null; field = json.nextName()) {
                json.nextToken();
                switch (field) {
                    case "ready" -> ready = flag(true);
                    case "serving" -> serving = flag(true);
                    case "terminating" -> terminating = flag(false);
                    default -> json.skipChildren();
                }
            }
        }

        private void target() {
            if (!json.isExpectedStartObjectToken()) {
                json.skipChildren();
                return;
            }
            for (String field = json.nextName(); field != null; field = json.nextName()) {
                json.nextToken();
                switch (field) {
                    case "name" -> podName = ownText();
                    case "uid" -> podUid = ownText();
                    default -> json.skipChildren();
                }
            }
        }

        /// A text that no other endpoint has.
        private String ownText() {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                return json.getString();
            }
            json.skipChildren();
            return "";
        }
    }
}
