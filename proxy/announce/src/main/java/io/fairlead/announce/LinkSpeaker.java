package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.PacketSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Speaks one protocol on one link: announces the addresses that are held, answers who asks for one, and passes on
/// who else claims one. It has a thread of its own; another thread says which addresses are held.
final class LinkSpeaker {
    private static final Logger LOG = LoggerFactory.getLogger(LinkSpeaker.class);

    /// How long it listens before it looks whether something is to be said.
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private static final Duration REOPEN = Duration.ofSeconds(1);

    /// A neighbour that learned an address just now does not learn another for a second; and packets get lost.
    private static final Duration REPEAT = Duration.ofMillis(1100);

    private static final int TIMES = 5;

    private final LocalLink link;
    private final NeighbourProtocol protocol;
    private final BlockingQueue<Conflict> conflicts;
    private final AnnouncerMetrics metrics;
    private final Map<Ip, Round> rounds = new HashMap<>();
    private volatile Set<Ip> held = Set.of();
    private volatile boolean ended;

    /// Another machine says that an address is its own.
    record Conflict(Ip address, HardwareAddress by, String link) {}

    /// How often an address is still to be announced, and when next.
    private record Round(int left, long due) {}

    LinkSpeaker(
            LocalLink link, NeighbourProtocol protocol, BlockingQueue<Conflict> conflicts, AnnouncerMetrics metrics) {
        this.link = link;
        this.protocol = protocol;
        this.conflicts = conflicts;
        this.metrics = metrics;
    }

    /// Speaks for these addresses from now on, and for no others.
    void hold(Set<Ip> addresses) {
        held = Set.copyOf(addresses);
    }

    void end() {
        ended = true;
    }

    /// Runs until it is ended or interrupted; a link that is down is tried again.
    void run() throws InterruptedException {
        while (!ended) {
            try (PacketSocket socket =
                    PacketSocket.open(link.index(), protocol.number(), protocol.filter(), PATIENCE)) {
                speak(socket);
            } catch (KernelException e) {
                LOG.warn("event=link-failed link={} reason=\"{}\"", link.name(), e.getMessage());
                rounds.clear();
                Thread.sleep(REOPEN);
            }
        }
    }

    private void speak(PacketSocket socket) throws InterruptedException {
        while (!ended) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the announcer ends");
            }
            announceDue(socket, System.nanoTime());
            socket.receive().flatMap(protocol::parse).ifPresent(heard -> react(socket, heard));
        }
    }

    private void announceDue(PacketSocket socket, long now) {
        Set<Ip> addresses = held;
        rounds.keySet().retainAll(addresses);
        for (Ip ip : addresses) {
            Round round = rounds.computeIfAbsent(ip, _ -> new Round(TIMES, now));
            if (round.left() > 0 && now - round.due() >= 0) {
                protocol.announcement(link.hardware(), ip).forEach(socket::send);
                rounds.put(ip, new Round(round.left() - 1, now + REPEAT.toNanos()));
            }
        }
    }

    private void react(PacketSocket socket, Heard heard) {
        if (!held.contains(heard.address())) {
            return;
        }
        switch (heard) {
            case Heard.Question question -> {
                socket.send(protocol.answer(link.hardware(), question));
                metrics.answered();
            }
            case Heard.Claim(Ip address, HardwareAddress from) -> {
                if (!from.equals(link.hardware())) {
                    defend(address);
                    conflicts.offer(new Conflict(address, from, link.name())); // when it is full, it is known already
                }
            }
        }
    }

    /// RFC 5227 §2.4: says it once more, but not in a fight without end.
    private void defend(Ip address) {
        Round round = rounds.get(address);
        if (round != null && round.left() == 0 && System.nanoTime() - round.due() >= 0) {
            rounds.put(address, new Round(1, System.nanoTime()));
        }
    }
}
