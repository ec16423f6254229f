package io.fairlead.commands;

import io.fairlead.client.ApiException;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Refusals;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What went wrong, in the words kubectl uses, and the exit code: 1 for everything that failed.
final class Failures {
    private Failures() {}

    /// Wrong arguments.
    static int usage(ParameterException fault) {
        CommandLine at = fault.getCommandLine();
        PrintWriter err = at.getErr();
        err.println("error: " + fault.getMessage());
        UnmatchedArgumentException.printSuggestions(fault, err);
        err.println("See '%s --help' for usage.".formatted(at.getCommandSpec().qualifiedName()));
        return Refusals.FAILED;
    }

    /// Right arguments, but it did not work. What is no exception of ours is a bug, and its stack trace the message.
    static int execution(Exception fault, CommandLine at) throws Exception {
        at.getErr().println(sentence(fault).orElseThrow(() -> fault));
        return Refusals.FAILED;
    }

    private static Optional<String> sentence(Exception fault) {
        return switch (fault) {
            case CommandException told -> Optional.of(told.sentence());
            case ApiException refused -> Optional.of(Refusals.sentence(refused));
            case IllegalStateException group ->
                ownFault(group.getCause()).map(cause -> "error: %s: %s".formatted(group.getMessage(), cause));
            default -> ownFault(fault).map("error: "::concat);
        };
    }

    /// The sentence of an exception that one of our rooms throws; the cause of a task group's is the task's own.
    private static Optional<String> ownFault(@Nullable Throwable fault) {
        if (fault == null || !fault.getClass().getName().startsWith("io.fairlead.")) {
            return Optional.empty();
        }
        return Optional.ofNullable(fault.getMessage());
    }
}
