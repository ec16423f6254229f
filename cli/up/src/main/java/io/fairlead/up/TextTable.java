package io.fairlead.up;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Rows of text in columns that are as wide as they must be, three spaces apart. Pure.
final class TextTable {
    private static final String GAP = "   ";

    private TextTable() {}

    /// Every row has as many cells as the head.
    static String format(List<String> head, List<List<String>> rows) {
        List<List<String>> all = java.util.stream.Stream.concat(java.util.stream.Stream.of(head), rows.stream())
                .toList();
        List<Integer> widths = IntStream.range(0, head.size())
                .mapToObj(column -> all.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
        return all.stream().map(row -> line(row, widths) + "\n").collect(Collectors.joining());
    }

    private static String line(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths.get(column) - row.get(column).length()))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }
}
