package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.Query;
import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Wire;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A line in the log for each question: always, or for a while when that is asked for.
final class QueryLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.fairlead.resolver.queries");

    private volatile boolean always;
    private volatile boolean aWhile;
    private volatile long until;

    QueryLog(boolean always) {
        this.always = always;
    }

    void always(boolean on) {
        always = on;
    }

    /// From now on, and no longer than this.
    void during(Duration time) {
        until = System.nanoTime() + time.toNanos();
        aWhile = !time.isZero();
    }

    boolean isOn() {
        if (aWhile && System.nanoTime() - until >= 0) {
            aWhile = false;
        }
        return always || aWhile;
    }

    void write(IpPort client, Query query, byte[] answer) {
        LOG.info(
                "event=answer client={} name={} type={} code={}",
                client,
                query.name(),
                RecordType.text(query.type()),
                ResponseCode.text(Wire.getShort(answer, Wire.FLAGS) & Wire.CODE));
    }
}
