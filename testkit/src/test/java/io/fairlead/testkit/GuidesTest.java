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
            Scenario.named("hairpin").file("../..").toAbsolutePath().normalize();
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

    private static List<String> paths(String text) {
        return PATH.matcher(text).results().map(match -> match.group(1)).toList().stream()
                .filter(path -> Files.isDirectory(ROOT.resolve(path.substring(0, path.indexOf('/')))))
                .toList();
    }
}
