package io.fairlead.yaml;

import io.fairlead.api.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/// Turns what the YAML parser complains of into a sentence for the one who wrote the text.
final class YamlFaults {
    // `key:value` is one word to YAML, and the parser trips over it only later.
    private static final Pattern MISSING_SPACE = Pattern.compile("\\s*(?:- +)*([A-Za-z][\\w./-]*:[^\\s:/][^\\s#]*)");

    private final List<String> lines;
    private final String text;

    YamlFaults(String text) {
        this.text = text;
        this.lines = text.lines().toList();
    }

    ParseException describe(int document, YamlFault fault) {
        return new ParseException(place(document, fault.mark()) + fault.getMessage(), fault);
    }

    ParseException describe(int document, YAMLException fault) {
        return switch (fault) {
            case MarkedYAMLException marked -> marked(document, marked);
            case ReaderException reader -> unreadable(reader);
            default -> new ParseException("not YAML: " + fault.getMessage(), fault);
        };
    }

    private ParseException marked(int document, MarkedYAMLException fault) {
        Mark at = fault.getProblemMark();
        @Nullable Mark context = fault.getContextMark();
        int from = context == null ? at.getLine() : context.getLine();
        String hint = missingSpace(from - 1, at.getLine()).orElse("");
        return new ParseException(place(document, at) + problem(fault) + hint, fault);
    }

    private static String problem(MarkedYAMLException fault) {
        @Nullable String context = fault.getContext();
        return context == null || context.isBlank()
                ? fault.getProblem()
                : fault.getProblem() + " (" + context.strip() + ")";
    }

    private Optional<String> missingSpace(int fromLine, int toLine) {
        return lines.subList(Math.max(0, fromLine), Math.min(lines.size(), toLine + 1)).stream()
                .map(MISSING_SPACE::matcher)
                .filter(Matcher::lookingAt)
                .findFirst()
                .map(match -> ": a space is missing after the colon in \"%s\"".formatted(match.group(1)));
    }

    private ParseException unreadable(ReaderException fault) {
        String before = text.substring(
                0, text.offsetByCodePoints(0, Math.min(fault.getPosition(), text.codePointCount(0, text.length()))));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return new ParseException(
                "line %d, column %d: the character U+%04X may not stand in YAML"
                        .formatted(line, column, fault.getCodePoint()),
                fault);
    }

    private static String place(int document, Mark mark) {
        String lineAndColumn = "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1);
        return document == 1 ? lineAndColumn : "document " + document + ", " + lineAndColumn;
    }
}
