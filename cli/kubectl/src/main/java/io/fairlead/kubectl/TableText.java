package io.fairlead.kubectl;

import java.util.ArrayList;
import java.util.List;

/// Rows of cells as lines of aligned columns.
///
/// It remembers how wide the columns have been, so that rows of a watch line up with the ones before them.
final class TableText {
    private static final int GAP = 3;
    private static final int NARROWEST = 6;

    private final List<Integer> widths = new ArrayList<>();

    /// One line for each row, each with its end of line; the last cell of a row is not padded.
    String lines(List<List<String>> rows) {
        rows.forEach(this::widen);
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append(line(row)).append('\n');
        }
        return text.toString();
    }

    private void widen(List<String> row) {
        for (int column = 0; column < row.size(); column++) {
            int width = Math.max(NARROWEST, length(row.get(column)) + GAP);
            if (column == widths.size()) {
                widths.add(width);
            }
            widths.set(column, Math.max(widths.get(column), width));
        }
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            boolean last = column == row.size() - 1;
            line.append(cell).append(last ? "" : " ".repeat(widths.get(column) - length(cell)));
        }
        return line.toString();
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
