package io.fairlead.nginx;

import io.fairlead.api.Ingress;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes where each Ingress is reached, and marks those that are not served. Only the leader does.
final class StatusWriter {
    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

    /// What `ports[].error` of a status says of an Ingress that is left out; the Event has the sentence.
    static final String NOT_SERVED = "fairlead.io/NotServed";

    private final ApiClient client;
    private final Leadership leadership;
    private final List<String> addresses;
    private Map<NamespacedName, List<String>> faults = Map.of();

    StatusWriter(ApiClient client, Leadership leadership, List<String> addresses) {
        this.client = client;
        this.leadership = leadership;
        this.addresses = addresses;
    }

    void run(Latest<RouteTable> tables) throws InterruptedException {
        boolean led = false;
        while (true) {
            boolean leads = leadership.renew();
            Optional<RouteTable> newer = tables.take(Leadership.PERIOD);
            if (leads && (newer.isPresent() || !led)) {
                newer.or(tables::peek).ifPresent(this::write);
            }
            led = leads;
        }
    }

    private void write(RouteTable table) {
        Map<NamespacedName, List<String>> now = table.faults();
        Set<NamespacedName> bad = now.keySet();
        table.ingresses().forEach(ingress -> {
            boolean marked = faults.containsKey(ingress.key());
            boolean differs = !ingress.addresses().equals(addresses) || marked != bad.contains(ingress.key());
            if (differs) {
                patch(ingress, bad.contains(ingress.key()) ? NOT_SERVED : "", addresses);
            }
        });
        faults = now;
    }

    /// Takes our addresses out of every status: no nginx answers there any more.
    void withdraw(RouteTable table) throws InterruptedException {
        if (leadership.renew()) {
            table.ingresses().forEach(ingress -> patch(ingress, "", List.of()));
            leadership.release();
        }
    }

    private void patch(Ingress ingress, String error, List<String> wanted) {
        ObjectNode patch = Json.object();
        ArrayNode list = patch.putObject("status").putObject("loadBalancer").putArray("ingress");
        for (String address : wanted) {
            ObjectNode item = list.addObject().put(Ip.find(address).isPresent() ? "ip" : "hostname", address);
            if (!error.isEmpty()) {
                item.putArray("ports")
                        .addObject()
                        .put("port", 80)
                        .put("protocol", "TCP")
                        .put("error", error);
            }
        }
        try {
            client.patchStatus(Kind.INGRESS, ingress.key(), patch);
        } catch (ApiException e) {
            LOG.debug("event=status-refused ingress={} reason=\"{}\"", ingress.key(), e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
