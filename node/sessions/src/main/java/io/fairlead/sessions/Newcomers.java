package io.fairlead.sessions;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Connections that have not said yet who they are and what they want. There are few, and each has a deadline that no
/// byte puts off; where one more comes than there is room for, the one that has waited longest goes.
///
/// So strangers that connect and stay silent hold up no other caller: a caller that knows what it wants is through in
/// moments.
final class Newcomers {
    private static final Duration LOOK = Duration.ofMillis(250);

    private final int most;
    private final Duration patience;
    private final Map<Socket, Long> deadlines = new LinkedHashMap<>();

    Newcomers(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /// Lets one in; closed, it is none any more.
    synchronized Closeable welcome(Socket socket) {
        if (deadlines.size() >= most) {
            Iterator<Socket> oldest = deadlines.keySet().iterator();
            end(oldest.next());
            oldest.remove();
        }
        deadlines.put(socket, System.nanoTime() + patience.toNanos());
        return () -> leave(socket);
    }

    private synchronized void leave(Socket socket) {
        deadlines.remove(socket);
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
