package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The lists of clauses in `docs/scenarios/README.md` and `docs/reference/semantics.md`, held to what there is.
final class ClausesTest {
    private static final Pattern CLAUSE = Pattern.compile("\\b[EP]\\d+\\b");
    private static final Path SCENARIOS =
            Scenario.named("hairpin").file("..").toAbsolutePath().normalize();
    private static final Path ROOT = SCENARIOS.resolve("../..").normalize();

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
        Predicate<String> isThere = isThere();
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

    @Test
    void every_code_in_a_comment_or_a_scenario_is_on_the_page() throws IOException {
        Set<String> known = pageRows().stream().map(Row::clauses).collect(Collectors.toSet());
        Map<String, List<String>> found = Comments.in(ROOT);
        assertThat(found).hasSizeGreaterThan(100);
        assertThat(Comments.unknown(found, Comments.CODE, known)).isEmpty();
    }

    @Test
    void a_code_that_is_nowhere_is_found() {
        Map<String, List<String>> planted = Map.of(
                "A.java", List.of("/// Keeps it (K12, Q7).", "// as K99 says, and A2–A5"), "B.java", List.of("// D5"));
        assertThat(Comments.unknown(planted, Comments.CODE, Set.of("K12", "A2", "A5", "D5")))
                .containsExactly("A.java: K99");
    }

    @Test
    void every_decision_that_a_comment_names_has_a_page() throws IOException {
        Set<String> pages;
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/decisions"))) {
            pages = files.map(file -> file.getFileName().toString().substring(0, 3))
                    .collect(Collectors.toSet());
        }
        assertThat(Comments.unknown(Comments.in(ROOT), Comments.DECISION, pages))
                .isEmpty();
        Map<String, List<String>> planted =
                Map.of("A.java", List.of("/// (A12, decisions 1 and 035)", "// decision 999"));
        assertThat(Comments.unknown(planted, Comments.DECISION, pages)).containsExactly("A.java: 1", "A.java: 999");
    }

    @Test
    void the_page_has_every_clause_once_and_every_place_is_there() throws IOException {
        List<Row> rows = pageRows();
        Predicate<String> isThere = isThere();
        assertThat(rows).extracting(Row::clauses).doesNotHaveDuplicates().hasSizeGreaterThan(190);
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.places)
                        .as(row.clauses)
                        .allMatch(isThere.or("–"::equals), "is a scenario, a test, or a dash"));
    }

    /// The rows of the page: `| P7 | text | places |`.
    private static List<Row> pageRows() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("docs/reference/semantics.md"))) {
            return lines.filter(line -> line.matches("\\| [A-Z]\\d+ \\|.*"))
                    .map(line -> line.split("\\|", -1))
                    .map(cells -> new Row(cells[1].strip(), places(cells[3])))
                    .toList();
        }
    }

    private static List<String> places(String cell) {
        return Arrays.stream(cell.split(",", -1)).map(String::strip).toList();
    }

    private static Predicate<String> isThere() throws IOException {
        Set<String> scenarios = Stream.concat(Scenario.all(), Scenario.withNames())
                .map(Scenario::name)
                .collect(Collectors.toSet());
        Set<String> tests = testClasses();
        return place -> place.startsWith("`")
                ? tests.contains(place.substring(1, place.length() - 1))
                : scenarios.contains(place);
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
            rows.add(new Row(cells[1], places(cells[2])));
        });
        return rows;
    }

    private static Set<String> testClasses() throws IOException {
        try (Stream<Path> files =
                Files.find(ROOT, 12, (file, _) -> file.toString().matches(".*/src/test/java/.*\\.java"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}
