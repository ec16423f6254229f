package io.fairlead.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the comments of the repository refer to: clauses by their codes, decisions by their numbers.
final class Comments {
    /// A clause, as in `(A2–A5, K12)`.
    static final Pattern CODE = Pattern.compile("\\b([AEPRMVKDIUN]\\d{1,2})\\b");

    /// A decision, as in `decision 036` or `decisions 035 and 037`.
    static final Pattern DECISION = Pattern.compile("(?:\\bdecisions? |(?<=\\bdecisions \\d{1,3} and ))(\\d+)\\b");

    private static final Pattern JAVA = Pattern.compile("^[^\"]*?(//.*)$");
    private static final Pattern YAML = Pattern.compile("^\\s*(#.*)$");

    private Comments() {}

    /// The comments of every Java file and of every scenario, by file.
    static Map<String, List<String>> in(Path root) throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.find(root, 14, (file, _) -> isSource(root.relativize(file)))) {
            for (Path file : files.toList()) {
                Pattern comment = file.toString().endsWith(".java") ? JAVA : YAML;
                List<String> comments = Files.readAllLines(file).stream()
                        .flatMap(line -> comment.matcher(line).results().map(match -> match.group(1)))
                        .toList();
                found.put(root.relativize(file).toString(), comments);
            }
        }
        return found;
    }

    private static boolean isSource(Path file) {
        String name = file.toString();
        boolean java = name.endsWith(".java") && name.contains("/src/");
        boolean scenario = name.startsWith("docs/scenarios/") && name.matches(".*(cluster\\.yaml|flows\\.txt)");
        return java || scenario;
    }

    /// What the comments name and is not known, as `file: name`.
    static List<String> unknown(Map<String, List<String>> comments, Pattern reference, Set<String> known) {
        return comments.entrySet().stream()
                .flatMap(file -> file.getValue().stream()
                        .flatMap(line -> reference.matcher(line).results())
                        .map((MatchResult match) -> match.group(1))
                        .filter(name -> !known.contains(name))
                        .map(name -> file.getKey() + ": " + name))
                .toList();
    }
}
