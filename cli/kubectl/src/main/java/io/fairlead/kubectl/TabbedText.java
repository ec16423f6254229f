package io.fairlead.kubectl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Text whose tabs become columns, as the descriptions of kubectl align theirs: pure.
///
/// A tab ends a cell. A column is as wide as the widest of the cells that stand directly below each other, and two
/// spaces more; a line without that cell ends the column.
final class TabbedText {
    private static final int GAP = 2;

    private final List<List<String>> lines;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> widths = new ArrayList<>();

    private TabbedText(List<List<String>> lines) {
        this.lines = lines;
    }

    static String align(String tabbed) {
        List<List<String>> lines = Arrays.stream(tabbed.split("\n", -1))
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
        TabbedText aligned = new TabbedText(lines);
        aligned.format(0, lines.size());
        return aligned.text.substring(0, aligned.text.length() - 1);
    }

    private void format(int from, int to) {
        int column = widths.size();
        int printed = from;
        for (int line = from; line < to; line++) {
            if (!hasCell(line, column)) {
                continue;
            }
            print(printed, line);
            printed = line;
            int width = 0;
            while (line < to && hasCell(line, column)) {
                width = Math.max(width, length(lines.get(line).get(column)) + GAP);
                line++;
            }
            widths.addLast(width);
            format(printed, line);
            widths.removeLast();
            printed = line;
        }
        print(printed, to);
    }

    private boolean hasCell(int line, int column) {
        return column < lines.get(line).size() - 1;
    }

    private void print(int from, int to) {
        for (List<String> line : lines.subList(from, to)) {
            for (int column = 0; column < line.size(); column++) {
                String cell = line.get(column);
                text.append(cell);
                if (column < widths.size()) {
                    text.append(" ".repeat(Math.max(0, widths.get(column) - length(cell))));
                }
            }
            text.append('\n');
        }
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
