package io.fairlead.client;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.EndpointSlice.Hints;
import io.fairlead.api.EndpointSlice.Port;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.ObjectMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.MissingNode;

/// One EndpointSlice without a tree: the same record that [EndpointSlice#of] makes of one.
final class SliceReader {
    private static final ObjectMeta NAMELESS = ObjectMeta.ofMetadata(MissingNode.getInstance());

    private final JsonScanner json;
    private ObjectMeta metadata = NAMELESS;
    private String addressType = "";
    private List<Endpoint> endpoints = List.of();
    private List<Port> ports = List.of();

    /// The object was entered already.
    SliceReader(JsonScanner json) {
        this.json = json;
    }

    EndpointSlice read() throws IOException {
        for (String field = json.field(); field != null; field = json.field()) {
            switch (field) {
                case "metadata" -> metadata = new MetadataReader(json).read();
                case "addressType" -> addressType = json.sharedText();
                case "endpoints" -> endpoints = endpoints();
                case "ports" -> ports = Json.list(json.tree(), Port::of);
                default -> json.skip();
            }
        }
        return new EndpointSlice(metadata, addressType, endpoints, ports);
    }

    private List<Endpoint> endpoints() throws IOException {
        if (!json.entersArray()) {
            json.skip();
            return List.of();
        }
        List<Endpoint> all = new ArrayList<>();
        while (json.hasItem()) {
            all.add(json.entersObject() ? new EndpointReader().read() : Endpoint.of(json.tree()));
        }
        return List.copyOf(all);
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

        Endpoint read() throws IOException {
            for (String field = json.field(); field != null; field = json.field()) {
                switch (field) {
                    case "addresses" -> addresses = addresses();
                    case "conditions" -> conditions();
                    case "nodeName" -> nodeName = json.sharedText();
                    case "targetRef" -> target();
                    case "hostname" -> hostname = json.text();
                    case "zone" -> zone = json.sharedText();
                    case "hints" -> hints = Hints.of(json.tree());
                    default -> json.skip();
                }
            }
            return new Endpoint(
                    addresses, ready, serving, terminating, nodeName, podName, podUid, hostname, zone, hints);
        }

        private List<Ip> addresses() throws IOException {
            if (!json.entersArray()) {
                json.skip();
                return List.of();
            }
            List<Ip> ips = List.of();
            while (json.hasItem()) {
                Ip ip = json.address();
                if (ip != null) {
                    ips = ips.isEmpty() ? List.of(ip) : with(ips, ip);
                }
            }
            return ips;
        }

        /// An endpoint has one address nearly always.
        private static List<Ip> with(List<Ip> ips, Ip more) {
            List<Ip> all = new ArrayList<>(ips);
            all.add(more);
            return List.copyOf(all);
        }

        private void conditions() throws IOException {
            if (!json.entersObject()) {
                json.skip();
                return;
            }
            for (String field = json.field(); field != null; field = json.field()) {
                switch (field) {
                    case "ready" -> ready = json.flag(true);
                    case "serving" -> serving = json.flag(true);
                    case "terminating" -> terminating = json.flag(false);
                    default -> json.skip();
                }
            }
        }

        private void target() throws IOException {
            if (!json.entersObject()) {
                json.skip();
                return;
            }
            for (String field = json.field(); field != null; field = json.field()) {
                switch (field) {
                    case "name" -> podName = json.text();
                    case "uid" -> podUid = json.text();
                    default -> json.skip();
                }
            }
        }
    }
}
