package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The list of clauses in `scenarios/README.md`, held to what there is.
final class ClausesTest {
    private static final Pattern CLAUSE = Pattern.compile("\\b[EP]\\d+\\b");
    private static final Path SCENARIOS =
            Scenario.named("hairpin").file("..").toAbsolutePath().normalize();

    /// A row of the list: which clauses, and the folders and test classes that show them.
    private record Row(String clauses, List<String> places) {}

    @Test
    void every_clause_has_a_place() throws IOException {
        Set<String> named = rows().stream()
                .flatMap(row -> CLAUSE.matcher(row.clauses).results().map(MatchResult::group))
                .collect(Collectors.toSet());
        assertThat(named).containsExactlyInAnyOrderElementsOf(clauses());
    }

    @Test
    void every_place_is_there() throws IOException {
        Set<String> scenarios = Scenario.all().map(Scenario::name).collect(Collectors.toSet());
        Set<String> tests = testClasses();
        Predicate<String> isThere = place -> place.startsWith("`")
                ? tests.contains(place.substring(1, place.length() - 1))
                : scenarios.contains(place);
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.places)
                        .as(row.clauses)
                        .isNotEmpty()
                        .allMatch(isThere, "is a scenario or a test"));
    }

    @Test
    void every_scenario_is_in_the_list() throws IOException {
        List<String> listed =
                rows().stream().flatMap(row -> row.places.stream()).distinct().toList();
        assertThat(listed).containsAll(Scenario.all().map(Scenario::name).toList());
    }

    private static List<String> clauses() {
        return Stream.concat(
                        IntStream.rangeClosed(1, 10).mapToObj(number -> "E" + number),
                        IntStream.rangeClosed(1, 20).mapToObj(number -> "P" + number))
                .toList();
    }

    private static List<Row> rows() throws IOException {
        String text = Files.readString(SCENARIOS.resolve("README.md"));
        List<Row> rows = new ArrayList<>();
        text.substring(text.indexOf("| clause | where |")).lines().skip(2).forEach(line -> {
            String[] cells = line.split("\\|", -1);
            rows.add(new Row(
                    cells[1],
                    Arrays.stream(cells[2].split(",", -1)).map(String::strip).toList()));
        });
        return rows;
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files = Files.find(
                SCENARIOS.getParent(), 10, (file, _) -> file.toString().matches(".*/src/test/java/.*\\.java"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}
