package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Revision;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Watch;
import io.fairlead.client.WatchEvent;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Prints whole objects: as YAML, as JSON, or by their names.
final class ObjectView {
    private final ApiClient client;
    private final GetQuery query;
    private final OutputFormat format;
    private final Console console;

    ObjectView(ApiClient client, GetQuery query, OutputFormat format, Console console) {
        this.client = client;
        this.query = query;
        this.format = format;
        this.console = console;
    }

    /// The exit code: 0 if all that was named is there.
    int show() throws InterruptedException {
        List<ObjectNode> objects = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (Wanted one : query.wanted()) {
            if (one.names().isEmpty()) {
                objects.addAll(list(one).items());
            }
            for (String name : one.names()) {
                try {
                    objects.add(ObjectText.typed(one.kind(), client.get(one.kind(), query.key(one.kind(), name))));
                } catch (ApiException e) {
                    faults.add(Refusals.sentence(e));
                }
            }
        }
        if (faults.isEmpty() || !objects.isEmpty()) {
            console.print(ObjectText.of(format, isOneNamed(), objects));
        }
        faults.forEach(console::complain);
        return faults.isEmpty() ? 0 : Refusals.FAILED;
    }

    /// Shows what is there, and every change from then on, until it is interrupted.
    void watch() throws InterruptedException {
        Wanted one = query.wanted().getFirst();
        Listing listing = list(one);
        listing.items().forEach(this::print);
        Revision seen = listing.revision();
        while (true) {
            try (Watch watch = client.watch(query.interest(one), query.namespaceOf(one.kind()), seen)) {
                seen = watch(one.kind(), watch, seen);
            }
        }
    }

    private Revision watch(Kind kind, Watch watch, Revision from) throws InterruptedException {
        Revision seen = from;
        Optional<WatchEvent<ObjectNode>> next = watch.next();
        while (next.isPresent()) {
            seen = switch (next.get()) {
                case WatchEvent.Added<ObjectNode>(var object) -> print(ObjectText.typed(kind, object));
                case WatchEvent.Modified<ObjectNode>(var object) -> print(ObjectText.typed(kind, object));
                case WatchEvent.Deleted<ObjectNode>(var object) -> print(ObjectText.typed(kind, object));
                case WatchEvent.Bookmark<ObjectNode>(var revision) -> revision;
            };
            next = watch.next();
        }
        return seen;
    }

    private Revision print(ObjectNode object) {
        console.print(ObjectText.of(format, true, List.of(object)) + (format == OutputFormat.YAML ? "---\n" : ""));
        return ObjectMeta.of(object).revision();
    }

    private record Listing(List<ObjectNode> items, Revision revision) {}

    private Listing list(Wanted one) throws InterruptedException {
        ObjectNode list = client.list(query.interest(one), query.namespaceOf(one.kind()));
        List<ObjectNode> items = list.path("items")
                .valueStream()
                .map(JsonNode::asObject)
                .map(item -> ObjectText.typed(one.kind(), item))
                .toList();
        return new Listing(items, ObjectMeta.of(list).revision());
    }

    private boolean isOneNamed() {
        return !query.hasSeveralKinds() && query.wanted().getFirst().names().size() == 1;
    }
}
