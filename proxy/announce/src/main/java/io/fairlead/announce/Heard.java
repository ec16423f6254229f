package io.fairlead.announce;

import io.fairlead.api.Ip;

/// What a neighbour said.
sealed interface Heard {
    Ip address();

    /// Who has `address`? `asker` has no address yet where it only checks that `address` is free.
    record Question(Ip address, HardwareAddress from, Ip asker) implements Heard {}

    /// `address` is mine.
    record Claim(Ip address, HardwareAddress from) implements Heard {}
}
