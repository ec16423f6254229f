package io.fairlead.userspace;

import java.time.Duration;
import java.util.List;

/// How much a relay takes of the machine, and how long it waits.
///
/// @param connections how many TCP connections are open at most; others wait in the backlog
/// @param pipes how many pipes there are at most; a connection has one while its reader is slow
/// @param associations how many UDP clients are remembered at most
/// @param attempts how long a target may take to answer, one after the other
/// @param silence how long a UDP client is remembered that sends nothing and gets nothing
/// @param drain how long connections may go on when the relay stops
public record RelayLimits(
        int threads,
        int connections,
        int pipes,
        int associations,
        List<Duration> attempts,
        Duration silence,
        Duration drain) {
    public RelayLimits {
        attempts = List.copyOf(attempts);
        if (threads < 1 || connections < threads || pipes < threads || attempts.isEmpty()) {
            throw new IllegalArgumentException("a relay needs a thread, and a connection and a pipe for each");
        }
    }

    /// For a node: a thread a core.
    public static RelayLimits ofNode(int cores) {
        return new RelayLimits(
                cores,
                65_536,
                8_192,
                16_384,
                List.of(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2)),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30));
    }

    RelayLimits withConnections(int connections) {
        return new RelayLimits(threads, connections, pipes, associations, attempts, silence, drain);
    }

    RelayLimits withPipes(int pipes) {
        return new RelayLimits(threads, connections, pipes, associations, attempts, silence, drain);
    }

    RelayLimits withAttempts(List<Duration> attempts) {
        return new RelayLimits(threads, connections, pipes, associations, attempts, silence, drain);
    }

    RelayLimits withSilence(Duration silence) {
        return new RelayLimits(threads, connections, pipes, associations, attempts, silence, drain);
    }

    RelayLimits withDrain(Duration drain) {
        return new RelayLimits(threads, connections, pipes, associations, attempts, silence, drain);
    }
}
