package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void help_lists_every_command() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains(Commands.names());
    }

    @ParameterizedTest
    @MethodSource("names")
    void every_command_has_help_with_an_example(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString())
                .startsWith("Usage: fairlead " + command)
                .containsPattern("(?m)^Examples?:\\R  (\\S.*)?fairlead " + command);
    }

    static Iterable<String> names() {
        return Commands.names();
    }

    @Test
    void a_wrong_command_is_answered_with_the_one_that_was_meant() {
        assertThat(run("gett", "services")).isEqualTo(1);
        assertThat(err.toString()).startsWith("error: ").contains("'gett'", "Did you mean", "fairlead get", "--help");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void the_command_is_the_first_word_that_is_no_option() {
        assertThat(Commands.typed("get", "svc", "proxy")).contains("get");
        assertThat(Commands.typed("--dir", "proxy", "--kubeconfig=server", "node"))
                .contains("node");
        assertThat(Commands.typed("--context", "proxy", "--context=server", "get"))
                .contains("get");
        assertThat(Commands.typed("--help")).isEmpty();
        assertThat(Commands.named(Commands.typed("get", "svc", "proxy")))
                .extracting(Commands::name)
                .containsExactly("get");
    }

    @Test
    void no_command_is_an_error_that_names_them() {
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("error: a command is missing; there are ")
                .contains("apply");
    }

    @Test
    void a_wrong_option_is_named() {
        assertThat(run("get", "svc", "--colour")).isEqualTo(1);
        assertThat(err.toString()).contains("'--colour'", "See 'fairlead get --help' for usage.");
    }

    @Test
    void a_wrong_output_format_is_answered_with_the_right_ones() {
        assertThat(run("get", "svc", "-o", "xml")).isEqualTo(1);
        assertThat(err.toString()).containsIgnoringCase("yaml").contains("xml");
    }

    @Test
    void a_command_needs_a_cluster() {
        assertThat(run("get", "svc", "--kubeconfig", "/nowhere/kubeconfig")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("""
            error: there is no kubeconfig at /nowhere/kubeconfig; start a cluster with "fairlead up", or name the \
            file with --kubeconfig
            """);
    }

    @Test
    void global_options_stand_before_or_after_the_command() {
        run("--kubeconfig", "/before", "get", "svc");
        run("get", "svc", "--kubeconfig", "/after");
        assertThat(err.toString()).contains("/before", "/after");
    }

    @Test
    void names_with_all_namespaces_are_refused() {
        assertThat(run("get", "svc", "hello", "-A")).isEqualTo(1);
        assertThat(err.toString()).contains("instead of -A");
    }

    @Test
    void version_prints_the_version_of_the_build() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).matches("fairlead \\d+\\.\\d+\\.\\S+ \\(Java 2\\d.*\\)\\R");
    }

    private int run(String... args) {
        CommandLine line =
                Main.commandLine(args).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
