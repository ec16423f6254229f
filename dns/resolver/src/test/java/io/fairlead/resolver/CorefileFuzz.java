package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What Jazzer calls: the text of a Corefile. It is understood, or refused with an [IllegalArgumentException] that has
/// words. The name of the method is Jazzer's.
public final class CorefileFuzz {
    private static final DnsConfig BASE = DnsConfig.at(List.of(IpPort.parse("0.0.0.0:53")), 1);
    private static final List<IpPort> HOST = List.of(IpPort.parse("192.0.2.53:53"));

    private CorefileFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            CorefilePlan.over(BASE, new String(input, StandardCharsets.UTF_8), () -> HOST);
        } catch (IllegalArgumentException e) {
            if (e.getMessage() == null || e instanceof NumberFormatException) {
                throw new AssertionError("refused without a word that helps", e);
            }
        }
    }
}
