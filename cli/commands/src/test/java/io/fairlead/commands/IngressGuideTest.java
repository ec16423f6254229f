package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guide for those who come from ingress-nginx shows what the program prints.
final class IngressGuideTest {
    private static final Path GUIDE =
            Path.of(System.getProperty("fairlead.root", "../.."), "docs", "guide", "from-ingress-nginx.md");
    private static final String COMMAND = "$ fairlead ingress check -f mine.yaml\n";

    @TempDir
    Path folder;

    @Test
    void its_example_is_checked_as_it_says() throws IOException {
        String guide = Files.readString(GUIDE);
        Path file = Files.writeString(folder.resolve("mine.yaml"), between(guide, "```yaml\n", "```"));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        String[] words = {"ingress", "check", "-f", file.toString()};
        int exit = Main.commandLine(words)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString() + err).isEqualTo(between(guide, COMMAND, "```"));
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }
}
