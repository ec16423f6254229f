package io.fairlead.commands;

import io.fairlead.client.ApiException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What went wrong, in the words kubectl uses, and the exit code: 1 for everything that failed.
final class Failures {
    static final int FAILED = 1;

    private Failures() {}

    /// Wrong arguments.
    static int usage(ParameterException fault) {
        CommandLine at = fault.getCommandLine();
        PrintWriter err = at.getErr();
        err.println("error: " + fault.getMessage());
        UnmatchedArgumentException.printSuggestions(fault, err);
        err.println("See '%s --help' for usage.".formatted(at.getCommandSpec().qualifiedName()));
        return FAILED;
    }

    /// Right arguments, but it did not work. What is no exception of ours is a bug, and its stack trace the message.
    static int execution(Exception fault, CommandLine at) throws Exception {
        at.getErr().println(sentence(fault).orElseThrow(() -> fault));
        return FAILED;
    }

    private static Optional<String> sentence(Exception fault) {
        return switch (fault) {
            case CommandException told -> Optional.of(told.sentence());
            case ApiException refused -> Optional.of(sentence(refused));
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

    /// A refusal of the API server, as kubectl prints it.
    static String sentence(ApiException fault) {
        if (fault.isUnanswered() || fault.reason().isEmpty()) {
            return unanswered(fault);
        }
        return "Error from server (%s): %s".formatted(fault.reason(), fault.getMessage());
    }

    /// The same, while doing something: `error when creating "hello.yaml" (document 2)`.
    static String sentence(ApiException fault, String doing) {
        if (fault.isUnanswered() || fault.reason().isEmpty()) {
            return doing + ": " + unanswered(fault);
        }
        return "Error from server (%s): %s: %s".formatted(fault.reason(), doing, fault.getMessage());
    }

    private static String unanswered(ApiException fault) {
        return fault.getCause() instanceof ConnectException
                ? "error: the API server is not there (%s); is the cluster running?".formatted(fault.getMessage())
                : "error: " + fault.getMessage();
    }
}
