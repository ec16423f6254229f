package io.fairlead.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// One line of the `dns.txt` of a scenario: a name and a type, and what must be answered.
///
/// `settings` are the words of the last line that set the zone up otherwise; `answer` has its records sorted.
public record NameQuestion(List<String> settings, String name, String type, String answer) {
    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) => (.+)");

    public static List<NameQuestion> of(Scenario scenario) {
        try {
            return parse(Files.readString(scenario.file("dns.txt")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<NameQuestion> parse(String text) {
        List<NameQuestion> questions = new ArrayList<>();
        List<String> settings = List.of();
        for (String line : text.lines().map(String::strip).toList()) {
            Matcher question = LINE.matcher(line);
            if (line.startsWith("settings ")) {
                settings = List.of(line.substring("settings ".length()).split(" ", -1));
            } else if (question.matches()) {
                questions.add(new NameQuestion(
                        settings,
                        question.group(1),
                        question.group(2),
                        sorted(question.group(3).split("; ", -1))));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                throw new IllegalArgumentException("not a question and its answer: " + line);
            }
        }
        return questions;
    }

    /// Records as `answer` has them.
    public static String sorted(String... records) {
        return Arrays.stream(records).sorted().collect(Collectors.joining("; "));
    }

    @Override
    public String toString() {
        return "%s %s%s".formatted(name, type, settings.isEmpty() ? "" : " " + settings);
    }
}
