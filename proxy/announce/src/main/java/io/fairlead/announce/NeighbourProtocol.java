package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.kernel.SocketFilter;
import java.util.List;
import java.util.Optional;

/// How neighbours find each other in one address family; all as whole Ethernet frames. Pure.
interface NeighbourProtocol {
    /// Its number in a frame.
    int number();

    /// Lets through what [#parse] understands.
    SocketFilter filter();

    /// Tells every neighbour, unasked, that `address` is at `own`.
    List<byte[]> announcement(HardwareAddress own, Ip address);

    byte[] answer(HardwareAddress own, Heard.Question question);

    /// What a frame says; nothing where it is something else.
    Optional<Heard> parse(byte[] frame);
}
