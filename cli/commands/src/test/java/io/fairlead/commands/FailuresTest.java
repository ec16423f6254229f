package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.client.ApiException;
import io.fairlead.store.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class FailuresTest {

    @Test
    void a_refusal_has_the_words_of_kubectl() throws Exception {
        ApiException fault = new ApiException(404, "NotFound", "services \"x\" not found");
        assertThat(printed(fault)).isEqualTo("Error from server (NotFound): services \"x\" not found\n");
    }

    @Test
    void an_answer_without_a_reason_is_printed_as_it_came() throws Exception {
        assertThat(printed(new ApiException(502, "", "the server answered 502: bad gateway")))
                .isEqualTo("error: the server answered 502: bad gateway\n");
    }

    @Test
    void a_failure_of_a_room_is_one_sentence() throws Exception {
        StoreException fault = new StoreException("cannot open the store /x");
        assertThat(printed(fault)).isEqualTo("error: cannot open the store /x\n");
        assertThat(printed(new IllegalStateException("a task of server failed", fault)))
                .isEqualTo("error: a task of server failed: cannot open the store /x\n");
    }

    @Test
    void a_bug_keeps_its_stack_trace() {
        IllegalStateException bug = new IllegalStateException("program without base chain");
        assertThatThrownBy(() -> printed(bug)).isSameAs(bug);
    }

    private static String printed(Exception fault) throws Exception {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine("version").setErr(new PrintWriter(err, true));
        assertThat(Failures.execution(fault, line)).isEqualTo(1);
        return err.toString();
    }
}
