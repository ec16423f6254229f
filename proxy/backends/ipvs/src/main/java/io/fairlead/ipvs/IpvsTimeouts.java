package io.fairlead.ipvs;

import java.time.Duration;

/// How long the kernel's IPVS remembers connections that are idle; what is zero stays as the kernel has it.
///
/// @param tcpFin after one side has ended
public record IpvsTimeouts(Duration tcp, Duration tcpFin, Duration udp) {
    public static final IpvsTimeouts AS_THEY_ARE = new IpvsTimeouts(Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
