package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The paths that a newcomer is sent to, held to what there is.
final class GuidesTest {
    private static final Path ROOT =
            Scenario.named("hairpin").file("../../..").toAbsolutePath().normalize();
    private static final Pattern PATH = Pattern.compile("`([\\w.-]+(?:/[\\w.-]+)+)`");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/guide/add-a-backend.md",
                "docs/guide/add-a-kind.md",
                "docs/guide/add-a-controller.md",
                "docs/decisions/032-a-strangers-test.md"
            })
    void every_path_is_there(String page) throws IOException {
        assertThat(paths(Files.readString(ROOT.resolve(page))))
                .hasSizeGreaterThan(4)
                .allMatch(path -> Files.exists(ROOT.resolve(path)), "exists");
    }

    @Test
    void a_path_that_is_not_there_is_found() {
        assertThat(paths("open `api/README.md` or `api/Nowhere.java`, then `Kind`"))
                .containsExactly("api/README.md", "api/Nowhere.java")
                .anyMatch(path -> !Files.exists(ROOT.resolve(path)));
    }

    @Test
    void the_dump_in_the_readme_of_the_proxy_is_what_the_compiler_of_nftables_writes() throws IOException {
        String readme = Files.readString(ROOT.resolve("proxy/sync/README.md"));
        int from = readme.indexOf("table ip fairlead\n");
        String shown = readme.substring(from, readme.indexOf("...\n", from));
        assertThat(shown).contains("chain ");
        assertThat(Files.readString(ROOT.resolve("proxy/backends/nftables/src/test/resources/foundation.nft")))
                .startsWith(shown);
    }

    @Test
    void every_module_is_in_the_table_of_rooms() throws IOException {
        String rooms = Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
        List<String> modules = Pattern.compile("<module>(.+)</module>")
                .matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(modules)
                .hasSizeGreaterThan(30)
                .allMatch(module -> isRow(rooms, module), "stands in docs/ARCHITECTURE.md");
        assertThat(isRow(rooms, "attic/trunk")).isFalse();
    }

    /// A module has a row of its own, or a word in the row of its part.
    private static boolean isRow(String rooms, String module) {
        String part = module.substring(0, module.lastIndexOf('/') + 1);
        String name = module.substring(part.length());
        return rooms.lines()
                .anyMatch(line -> line.startsWith("| `%s` |".formatted(module))
                        || (!part.isEmpty()
                                && line.startsWith("| `%s` |".formatted(part))
                                && line.contains("`%s`".formatted(name))));
    }

    private static List<String> paths(String text) {
        return PATH.matcher(text).results().map(match -> match.group(1)).toList().stream()
                .filter(path -> Files.isDirectory(ROOT.resolve(path.substring(0, path.indexOf('/')))))
                .toList();
    }
}
