package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.DatagramBatch;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.zone.HotAnswers;
import io.fairlead.zone.ResponseCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

/// One thread and one socket that answer datagrams, many at a time.
final class UdpWorker {
    /// How long the end of the server may take to be seen.
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final DatagramBatch batch;
    private final Responder responder;
    private final Supplier<Responder> others;
    private final Setup.Current current;
    private final QueryLog log;
    private final byte[] packet = new byte[DatagramBatch.MAX_LENGTH];
    private final int[] answered = new int[ZonePart.count()];

    /// `others` makes responders for the questions that have to wait.
    UdpWorker(IpPort address, Setup.Current current, Counters counters, Supplier<Responder> others, QueryLog log) {
        this.batch = DatagramBatch.open(address, PATIENCE);
        this.responder = new Responder(current, counters, new HotAnswers());
        this.others = others;
        this.current = current;
        this.log = log;
    }

    /// Answers until it is interrupted; a packet that we cannot answer by a fault of ours costs no other its answer.
    /// The socket ends with the server, not with a failure: this may be called again.
    void run(TaskFaults faults) throws InterruptedException {
        while (!Thread.interrupted()) {
            int count = batch.receive();
            long taken = System.nanoTime();
            for (int place = 0; place < count; place++) {
                try {
                    answer(place);
                } catch (RuntimeException e) {
                    faults.ended("packet", "packet", e);
                }
            }
            batch.send();
            time(System.nanoTime() - taken);
        }
        batch.close();
        throw new InterruptedException();
    }

    /// Those of one batch waited for each other, and so took the same.
    private void time(long nanos) {
        for (int part = 0; part < answered.length; part++) {
            if (answered[part] > 0) {
                responder.counters().took(ZonePart.at(part), nanos, answered[part]);
                answered[part] = 0;
            }
        }
    }

    private void answer(int place) {
        int length = batch.read(place, packet);
        int size = responder.answer(packet, length, DatagramBatch.MAX_LENGTH);
        if (size > 0) {
            batch.answer(place, responder.bytes(), size);
            answered[responder.part().number()]++;
            if (log.isOn()) {
                log.write(batch.source(place), responder.query(), responder.bytes());
            }
        } else if (size == Responder.LATER) {
            later(place, Arrays.copyOf(packet, length));
        }
    }

    private void later(int place, byte[] question) {
        Slow slow = current.now().slow();
        IpPort client = batch.source(place);
        if (!slow.allow(client.ip())) {
            refuse(place, client);
            return;
        }
        byte[] from = batch.returnAddress(place);
        long taken = System.nanoTime();
        boolean started = slow.start("question", () -> {
            Responder own = others.get();
            int size = own.resolve(question, question.length, DatagramBatch.MAX_LENGTH, client.ip());
            batch.reply(from, own.bytes(), size);
            own.counters().took(own.part(), System.nanoTime() - taken, 1);
            if (log.isOn()) {
                log.write(client, own.query(), own.bytes());
            }
        });
        if (!started) {
            refuse(place, client);
        }
    }

    private void refuse(int place, IpPort client) {
        int size = responder.refuse(ResponseCode.REFUSED);
        batch.answer(place, responder.bytes(), size);
        answered[responder.part().number()]++;
        if (log.isOn()) {
            log.write(client, responder.query(), responder.bytes());
        }
    }
}
