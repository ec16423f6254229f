package io.fairlead.nginx;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Ingress;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.routes.HostRoutes;
import io.fairlead.routes.Options;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the owner of an Ingress, by an Event on it, what is wrong with it; once for each fault.
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final String COMPONENT = "fairlead-ingress";

    private final ApiClient client;
    private final Map<NamespacedName, Set<EventDraft>> told = new HashMap<>();

    Events(ApiClient client) {
        this.client = client;
    }

    void run(Latest<RouteTable> tables) throws InterruptedException {
        RouteTable before = tables.take();
        RouteTable table = before;
        while (true) {
            Map<NamespacedName, Set<EventDraft>> now = drafts(table);
            for (Map.Entry<NamespacedName, Set<EventDraft>> entry : now.entrySet()) {
                for (EventDraft draft : entry.getValue()) {
                    if (!told.getOrDefault(entry.getKey(), Set.of()).contains(draft)) {
                        send(draft);
                    }
                }
            }
            told.clear();
            told.putAll(now);
            before = table;
            while (table.hasRoutesOf(before)) { // endpoints come and go: that is nothing to tell
                table = tables.take();
            }
        }
    }

    static Map<NamespacedName, Set<EventDraft>> drafts(RouteTable table) {
        Map<NamespacedName, Set<EventDraft>> drafts = new HashMap<>();
        Map<NamespacedName, List<String>> conflicts = new HashMap<>();
        for (HostRoutes.Conflict conflict : table.conflicts()) {
            conflicts.computeIfAbsent(conflict.loser(), _ -> new ArrayList<>()).add(conflict.sentence());
        }
        Map<NamespacedName, List<String>> faults = table.faults();
        table.ingresses().forEach(ingress -> {
            Set<EventDraft> own = new HashSet<>();
            add(own, ingress, "NotServed", faults.getOrDefault(ingress.key(), List.of()));
            add(own, ingress, "PathTaken", conflicts.getOrDefault(ingress.key(), List.of()));
            add(own, ingress, "UnknownAnnotation", Options.read(ingress).warnings());
            if (!own.isEmpty()) {
                drafts.put(ingress.key(), own);
            }
        });
        return drafts;
    }

    private static void add(Set<EventDraft> drafts, Ingress ingress, String reason, List<String> sentences) {
        if (!sentences.isEmpty()) {
            drafts.add(new EventDraft(
                    Kind.INGRESS,
                    ingress.key(),
                    ingress.metadata().uid(),
                    "Warning",
                    reason,
                    String.join("; ", sentences)));
        }
    }

    private void send(EventDraft draft) throws InterruptedException {
        try {
            client.create(Kind.EVENT, draft.tree(COMPONENT, Instant.now()));
        } catch (ApiException e) {
            LOG.warn("event={} about={} refused=\"{}\"", draft.reason(), draft.about(), e.getMessage());
        }
    }
}
