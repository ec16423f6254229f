package io.fairlead.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A session at a terminal, as a file: commands, and below each what it prints.
///
/// ```
/// # A remark.
/// $ kubectl get service web -o name
/// service/web
/// ```
///
/// Where later versions print something else, `[from 1.32]` stands before it.
///
/// @param name the file's name without its end
record Transcript(String name, List<Step> steps) {
    /// The oldest kubectl that the files speak of.
    static final int OLDEST = 20;

    /// The latest with which they were compared.
    static final int LATEST = 33;

    static final Path FOLDER = Path.of(System.getProperty("fairlead.root"), "conformance/src/test/kubectl");

    private static final String END = ".txt";
    private static final Pattern FROM = Pattern.compile("\\[from 1\\.(\\d+)]");

    Transcript {
        steps = List.copyOf(steps);
    }

    /// All there are, in the order of their names.
    static List<Transcript> all() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Transcript> all = new ArrayList<>();
            for (Path file :
                    files.filter(f -> f.toString().endsWith(END)).sorted().toList()) {
                all.add(parse(name(file), Files.readAllLines(file)));
            }
            return all;
        }
    }

    /// Those whose names begin so: a part, to save time where others run them all. With `-Dconformance=full`, all.
    static List<Transcript> atLeast(String... beginnings) throws IOException {
        boolean full = System.getProperty("conformance", "quick").equals("full");
        return all().stream()
                .filter(transcript -> full || Stream.of(beginnings).anyMatch(transcript.name::startsWith))
                .toList();
    }

    private static String name(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - END.length());
    }

    Path file() {
        return FOLDER.resolve(name + END);
    }

    String text() {
        return steps.stream().flatMap(step -> step.lines().stream()).collect(Collectors.joining("\n", "", "\n"));
    }

    static Transcript parse(String name, List<String> lines) {
        List<Step> steps = new ArrayList<>();
        for (int next = 0; next < lines.size(); ) {
            int end = next + 1;
            while (end < lines.size() && !begins(lines, end)) {
                end++;
            }
            steps.add(step(lines.subList(next, end)));
            next = end;
        }
        return new Transcript(name, steps);
    }

    /// Remarks and the empty lines around them belong to the command after them.
    private static boolean begins(List<String> lines, int at) {
        return !isRemark(lines.get(at - 1))
                && (isRemark(lines.get(at)) || lines.get(at).startsWith("$ "));
    }

    private static boolean isRemark(String line) {
        return line.isEmpty() || line.startsWith("# ");
    }

    private static Step step(List<String> lines) {
        int at = 0;
        List<String> remarks = new ArrayList<>();
        while (isRemark(lines.get(at))) {
            remarks.add(lines.get(at++));
        }
        StringBuilder command = new StringBuilder(lines.get(at++).substring(2));
        while (at < lines.size() && lines.get(at).startsWith("> ")) {
            command.append('\n').append(lines.get(at++).substring(2));
        }
        return new Step(remarks, command.toString(), outputs(lines.subList(at, lines.size())));
    }

    private static TreeMap<Integer, String> outputs(List<String> lines) {
        TreeMap<Integer, List<String>> outputs = new TreeMap<>();
        int minor = OLDEST;
        outputs.put(minor, new ArrayList<>());
        for (String line : lines) {
            Matcher from = FROM.matcher(line);
            if (from.matches()) {
                minor = Integer.parseInt(from.group(1));
                outputs.put(minor, new ArrayList<>());
            } else {
                outputs.get(minor).add(line);
            }
        }
        TreeMap<Integer, String> joined = new TreeMap<>();
        outputs.forEach((from, output) -> joined.put(from, String.join("\n", output)));
        return joined;
    }
}
