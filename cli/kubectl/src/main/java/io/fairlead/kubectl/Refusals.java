package io.fairlead.kubectl;

import io.fairlead.client.ApiException;
import java.net.ConnectException;

/// What the API server refused, in the words kubectl uses, and the exit code of a command that failed.
public final class Refusals {
    public static final int FAILED = 1;

    private Refusals() {}

    /// A refusal of the API server, as kubectl prints it.
    public static String sentence(ApiException fault) {
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
