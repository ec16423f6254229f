package io.fairlead.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What [RequiresRoot] does.
final class RootCondition implements ExecutionCondition, BeforeEachCallback {
    static final String REASON = "needs root (CAP_NET_ADMIN and CAP_SYS_ADMIN)";

    // The numbers of the two capabilities in linux/capability.h.
    private static final long NEEDED = 1L << 12 | 1L << 21;

    private final boolean permitted;
    private final boolean skipAllowed;

    RootCondition() {
        this(isPermitted(ownStatus()), !"true".equals(System.getenv("CI")));
    }

    RootCondition(boolean permitted, boolean skipAllowed) {
        this.permitted = permitted;
        this.skipAllowed = skipAllowed;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return permitted || !skipAllowed
                ? ConditionEvaluationResult.enabled("runs as root, or must")
                : ConditionEvaluationResult.disabled(REASON);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!permitted) {
            throw new AssertionError(REASON + ", and CI=true allows no skipping");
        }
    }

    /// Whether a process with this `/proc/PID/status` may program the network.
    static boolean isPermitted(String status) {
        return status.lines()
                .filter(line -> line.startsWith("CapEff:"))
                .map(line -> line.substring("CapEff:".length()).strip())
                .anyMatch(hex -> (Long.parseUnsignedLong(hex, 16) & NEEDED) == NEEDED);
    }

    private static String ownStatus() {
        try {
            return Files.readString(Path.of("/proc/self/status"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
