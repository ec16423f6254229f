package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Watch;
import io.fairlead.client.WatchEvent;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import io.fairlead.kubectl.ServerTable.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Prints what the server renders: one table for each kind, and then the changes of a watch.
final class TableView {
    private final ApiClient client;
    private final GetQuery query;
    private final Columns columns;
    private final boolean headers;
    private final Console console;

    TableView(ApiClient client, GetQuery query, Columns columns, boolean headers, Console console) {
        this.client = client;
        this.query = query;
        this.columns = columns;
        this.headers = headers;
        this.console = console;
    }

    /// The exit code: 0 if all that was named is there.
    int show() throws InterruptedException {
        List<String> faults = new ArrayList<>();
        int tables = 0;
        for (Wanted one : query.wanted()) {
            List<ServerTable> found = find(one, faults);
            if (found.stream().anyMatch(table -> !table.rows().isEmpty())) {
                console.print(tables++ > 0 ? "\n" : "");
                console.print(new TableText().lines(lines(found)));
            }
        }
        if (tables == 0 && faults.isEmpty()) {
            console.complain(query.nothingFound());
        }
        faults.forEach(console::complain);
        return faults.isEmpty() ? 0 : Refusals.FAILED;
    }

    /// Shows what is there, and every change from then on, until it is interrupted.
    void watch() throws InterruptedException {
        Wanted one = query.wanted().getFirst();
        JsonNode table = client.table(query.interest(one), query.namespaceOf(one.kind()));
        ServerTable first = ServerTable.of(table, one.kind(), columns);
        TableText text = new TableText();
        console.print(text.lines(lines(List.of(first))));
        Revision seen = first.revision();
        while (true) {
            seen = watch(one, seen, text);
        }
    }

    private Revision watch(Wanted one, Revision from, TableText text) throws InterruptedException {
        Revision seen = from;
        try (Watch events = client.watchTable(query.interest(one), query.namespaceOf(one.kind()), from)) {
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                seen = print(event.get(), one, text).orElse(seen);
            }
        }
        return seen;
    }

    /// The revision up to which this event tells of everything.
    private Optional<Revision> print(WatchEvent<ObjectNode> event, Wanted one, TableText text) {
        JsonNode table = switch (event) {
            case WatchEvent.Added<ObjectNode> added -> added.object();
            case WatchEvent.Modified<ObjectNode> modified -> modified.object();
            case WatchEvent.Deleted<ObjectNode> deleted -> deleted.object();
            case WatchEvent.Bookmark<ObjectNode> _ -> Json.object();
        };
        ServerTable change = ServerTable.of(table, one.kind(), columns);
        console.print(text.lines(change.rows()));
        return Optional.of(change.revision()).filter(revision -> revision.isAfter(Revision.ZERO));
    }

    private List<ServerTable> find(Wanted one, List<String> faults) throws InterruptedException {
        if (one.names().isEmpty()) {
            JsonNode table = client.table(query.interest(one), query.namespaceOf(one.kind()));
            return List.of(ServerTable.of(table, one.kind(), columns));
        }
        List<ServerTable> found = new ArrayList<>();
        for (String name : one.names()) {
            try {
                found.add(ServerTable.of(client.table(one.kind(), query.key(one.kind(), name)), one.kind(), columns));
            } catch (ApiException e) {
                faults.add(Refusals.sentence(e));
            }
        }
        return found;
    }

    private List<List<String>> lines(List<ServerTable> tables) {
        List<List<String>> lines = new ArrayList<>();
        if (headers) {
            lines.add(tables.getFirst().header());
        }
        tables.forEach(table -> lines.addAll(table.rows()));
        return lines;
    }
}
