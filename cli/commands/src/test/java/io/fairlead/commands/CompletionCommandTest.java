package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real bash completes what was begun; only its own `compopt`, which needs a person at the keys, is stood in for.
final class CompletionCommandTest {
    @TempDir
    Path dir;

    @Test
    void bash_completes_commands_and_options() throws Exception {
        StringWriter out = new StringWriter();
        int code = Main.commandLine("completion", "bash")
                .setOut(new PrintWriter(out, true))
                .execute("completion", "bash");
        assertThat(code).isZero();
        Path script = Files.writeString(dir.resolve("completion"), out.toString());
        assertThat(complete(script, "fairlead", "anno")).containsExactly("annotate");
        assertThat(complete(script, "fairlead", "label", "--overw")).containsExactly("--overwrite");
        assertThat(complete(script, "fairlead", "create", "service", "node")).containsExactly("nodeport");
    }

    private static List<String> complete(Path script, String... words) throws Exception {
        String typed = String.join(" ", words);
        String program = """
            compopt() { :; }
            source %s
            COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
            _complete_fairlead
            printf '%%s\\n' "${COMPREPLY[@]}"
            """.formatted(script, typed, words.length - 1, typed, typed.length());
        Process bash = new ProcessBuilder("bash", "--norc", "-c", program)
                .redirectErrorStream(true)
                .start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(printed).isZero();
        return printed.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
