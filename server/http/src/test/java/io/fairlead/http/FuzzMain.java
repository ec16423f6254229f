package io.fairlead.http;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What Jazzer calls, again and again, in a process of its own. `-Dfuzz.target` names the target; without it the first
/// byte of the input does. The names of the methods are Jazzer's.
public final class FuzzMain {
    private static final FuzzTarget[] ALL = FuzzTarget.values();
    private static final String NAMED = System.getProperty("fuzz.target", "");

    private static @Nullable FuzzServer server;

    private FuzzMain() {}

    public static void fuzzerInitialize() throws InterruptedException {
        server = new FuzzServer();
    }

    public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
        FuzzServer asked = Objects.requireNonNull(server);
        if (!NAMED.isEmpty()) {
            FuzzTarget.valueOf(NAMED).feed(asked, input);
        } else if (input.length > 0) {
            byte[] rest = Arrays.copyOfRange(input, 1, input.length);
            ALL[Byte.toUnsignedInt(input[0]) % ALL.length].feed(asked, rest);
        }
    }
}
