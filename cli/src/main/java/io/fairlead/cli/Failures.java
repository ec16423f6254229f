package io.fairlead.cli;

import io.fairlead.client.ApiException;
import java.io.PrintWriter;
import java.net.ConnectException;
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

    /// Right arguments, but it did not work.
    static int execution(Exception fault, CommandLine at) throws Exception {
        switch (fault) {
            case CommandException told -> at.getErr().println(told.getMessage());
            case ApiException refused -> at.getErr().println(sentence(refused));
            default -> throw fault; // a bug, or an interrupt: the stack trace is the message
        }
        return FAILED;
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
