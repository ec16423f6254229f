package io.fairlead.bench;

import io.fairlead.api.IpPort;
import io.fairlead.runtime.AnyCertificate;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// Hostile connections of one kind, in a process of their own. Each that is ended by the other side comes again, after
/// a pause: so there are never more than were asked for, and connecting alone is no flood.
///
/// Arguments: the kind, how many, the address, for how many seconds after all were opened once, and the token of a
/// user. Prints how many connections were opened, and how many of them the other side ended.
final class HostileMain {
    private static final long PAUSE_MILLIS = 1_000;
    // A machine with two cores makes some hundred handshakes a second, for both sides together.
    private static final long MOST_OPENING_SECONDS = 60;
    // All connections together: more would measure who gets the processors that both sides share.
    private static final int REQUESTS_A_SECOND = 2_000;

    private HostileMain() {}

    @SuppressWarnings("SystemOut") // the results are the output
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        HostileClient client = new HostileClient(
                HostileKind.of(args[0]),
                IpPort.parse(args[2]),
                args.length > 4 ? args[4] : "",
                AnyCertificate.trusting().getSocketFactory(),
                Math.max(1, 1_000L * count / REQUESTS_A_SECOND));
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        try (TaskGroup all = new TaskGroup("hostile")) {
            for (int i = 0; i < count; i++) {
                all.run("connection" + i, () -> again(client, opened, ended));
            }
            long end = System.nanoTime() + MOST_OPENING_SECONDS * 1_000_000_000L;
            while (opened.get() < count && System.nanoTime() < end) {
                Thread.sleep(100);
            }
            Thread.sleep(1_000L * Integer.parseInt(args[3]));
            System.out.println(opened + "," + ended);
            System.out.flush();
            Runtime.getRuntime().halt(0); // 5,000 sockets need no good-bye
        }
    }

    private static void again(HostileClient client, AtomicInteger opened, AtomicInteger ended)
            throws InterruptedException {
        while (true) {
            try {
                client.run(opened::incrementAndGet);
            } catch (IOException e) {
                ended.incrementAndGet();
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
