package io.fairlead.kubectl;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/// Where a command prints: results, and everything else.
public record Console(PrintWriter out, PrintWriter err) {

    public static Console of(CommandSpec command) {
        return new Console(command.commandLine().getOut(), command.commandLine().getErr());
    }

    /// A result, at once: a pipe may carry it on while the command goes on.
    public void print(String text) {
        out.print(text);
        out.flush();
    }

    public void println(String line) {
        print(line + "\n");
    }

    void complain(String line) {
        err.println(line);
        err.flush();
    }
}
