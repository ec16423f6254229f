package io.fairlead.sessions;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// Connections that have not said yet who they are and what they want. There are few, and each has a deadline that no
/// byte puts off; where one more comes than there is room for, the one that has waited longest goes, of those from the
/// address that has most.
///
/// So strangers that connect and stay silent hold up no other caller, not even one whose handshake takes a while on a
/// busy node.
final class Newcomers {
    private static final Duration LOOK = Duration.ofMillis(250);

    private final int most;
    private final Duration patience;
    private final Map<Socket, Long> deadlines = new LinkedHashMap<>();
    private final Map<InetAddress, Integer> counts = new HashMap<>();

    Newcomers(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /// Lets one in; closed, it is none any more.
    synchronized Closeable welcome(Socket socket) {
        if (deadlines.size() >= most) {
            Socket oldest = oldestOfMost();
            leave(oldest);
            end(oldest);
        }
        deadlines.put(socket, System.nanoTime() + patience.toNanos());
        counts.merge(socket.getInetAddress(), 1, Integer::sum);
        return () -> leave(socket);
    }

    private Socket oldestOfMost() {
        InetAddress crowded =
                Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
        return deadlines.keySet().stream()
                .filter(socket -> socket.getInetAddress().equals(crowded))
                .findFirst()
                .orElseThrow();
    }

    private synchronized void leave(Socket socket) {
        if (deadlines.remove(socket) != null) {
            forget(socket);
        }
    }

    private void forget(Socket socket) {
        counts.computeIfPresent(socket.getInetAddress(), (_, count) -> count > 1 ? count - 1 : null);
    }

    synchronized int count() {
        return deadlines.size();
    }

    /// Ends those that took too long, until it is interrupted.
    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(LOOK);
            endLate(System.nanoTime());
        }
    }

    private synchronized void endLate(long now) {
        deadlines.entrySet().removeIf(one -> {
            boolean late = one.getValue() - now <= 0;
            if (late) {
                forget(one.getKey());
                end(one.getKey());
            }
            return late;
        });
    }

    // A TLS socket would first want to say good-bye, to a client that may not be listening.
    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is as closed as it can be.
        }
    }
}
