package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.DatagramBatch;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One thread and one socket that answer datagrams, many at a time.
final class UdpWorker {
    private static final Logger LOG = LoggerFactory.getLogger("io.fairlead.resolver.queries");

    /// How long the end of the server may take to be seen.
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final DatagramBatch batch;
    private final Responder responder;
    private final Supplier<Responder> others;
    private final Slow slow;
    private final boolean log;
    private final byte[] packet = new byte[DatagramBatch.MAX_LENGTH];

    /// `others` makes responders for the questions that have to wait.
    UdpWorker(IpPort address, Supplier<Responder> others, Slow slow, boolean log) {
        this.batch = DatagramBatch.open(address, PATIENCE);
        this.responder = others.get();
        this.others = others;
        this.slow = slow;
        this.log = log;
    }

    /// Answers until it is interrupted; a packet that we cannot answer by a fault of ours costs no other its answer.
    void run(TaskFaults faults) throws InterruptedException {
        try (batch) {
            while (!Thread.interrupted()) {
                int count = batch.receive();
                for (int place = 0; place < count; place++) {
                    try {
                        answer(place);
                    } catch (RuntimeException e) {
                        faults.ended("packet", "udp", e);
                    }
                }
                batch.send();
            }
            throw new InterruptedException();
        }
    }

    private void answer(int place) {
        int length = batch.read(place, packet);
        int size = responder.answer(packet, length, DatagramBatch.MAX_LENGTH);
        if (size > 0) {
            batch.answer(place, responder.bytes(), size);
            if (log) {
                log(place, responder.bytes());
            }
        } else if (size == Responder.LATER) {
            later(place, Arrays.copyOf(packet, length));
        }
    }

    private void later(int place, byte[] question) {
        byte[] from = batch.returnAddress(place);
        boolean started = slow.start("question", () -> {
            Responder own = others.get();
            int size = own.resolve(question, question.length, DatagramBatch.MAX_LENGTH);
            batch.reply(from, own.bytes(), size);
        });
        if (!started) {
            int size = responder.refuse(ResponseCode.REFUSED);
            batch.answer(place, responder.bytes(), size);
        }
    }

    private void log(int place, byte[] answer) {
        LOG.info(
                "client={} name={} type={} code={}",
                batch.source(place),
                responder.query().name(),
                RecordType.text(responder.query().type()),
                ResponseCode.text(Wire.getShort(answer, Wire.FLAGS) & Wire.CODE));
    }
}
