package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// A Table as the API server rendered it, reduced to the columns that are to be printed.
record ServerTable(List<String> header, List<List<String>> rows, Revision revision) {
    ServerTable {
        header = List.copyOf(header);
        rows = List.copyOf(rows);
    }

    /// What to print besides the server's own columns: the wide ones, the namespace, the kind in front of names.
    record Columns(boolean wide, boolean namespace, boolean kind) {}

    static ServerTable of(JsonNode table, Kind kind, Columns columns) {
        List<JsonNode> definitions =
                table.path("columnDefinitions").valueStream().toList();
        int[] shown = IntStream.range(0, definitions.size())
                .filter(column -> columns.wide() || Json.number(definitions.get(column), 0, "priority") == 0)
                .toArray();
        List<String> header = new ArrayList<>(columns.namespace() ? List.of("NAMESPACE") : List.of());
        IntStream.of(shown)
                .mapToObj(column -> Json.text(definitions.get(column), "name").toUpperCase(Locale.ROOT))
                .forEach(header::add);
        List<List<String>> rows = table.path("rows")
                .valueStream()
                .map(row -> cells(row, kind, columns, shown))
                .toList();
        return new ServerTable(header, rows, revision(table));
    }

    private static List<String> cells(JsonNode row, Kind kind, Columns columns, int[] shown) {
        List<String> cells = new ArrayList<>();
        if (columns.namespace()) {
            cells.add(Json.text(row, "object", "metadata", "namespace"));
        }
        for (int column : shown) {
            String cell = row.path("cells").path(column).asString("<none>");
            // The name is the first column of every kind.
            cells.add(column == 0 && columns.kind() ? ResourceArguments.reference(kind, cell) : cell);
        }
        return cells;
    }

    private static Revision revision(JsonNode table) {
        String text = Json.text(table, "metadata", "resourceVersion");
        return text.isEmpty() ? Revision.ZERO : new Revision(Long.parseLong(text));
    }
}
