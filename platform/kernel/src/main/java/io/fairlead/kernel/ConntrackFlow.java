package io.fairlead.kernel;

import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;

/// One connection that the kernel tracks: `source` sends to `destination`, and `answerer` is who really answers.
///
/// Where the destination was not translated, the answerer is the destination. It is `answered` as soon as one packet
/// has come back.
public record ConntrackFlow(
        Protocol protocol, IpPort source, IpPort destination, IpPort answerer, boolean answered, int id) {}
