package io.fairlead.resolver;

import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResponseCode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/// How many questions were answered, by type and code; those who answer most count apart from each other.
final class Counters {
    private static final int TYPES = 64;
    private static final int CODES = 16;

    private final AtomicLongArray counts = new AtomicLongArray(TYPES * CODES);

    /// The counters of all threads of a server.
    static final class All {
        private final List<Counters> all = new CopyOnWriteArrayList<>();

        Counters one() {
            Counters counters = new Counters();
            all.add(counters);
            return counters;
        }

        /// As Prometheus reads it.
        String text() {
            Map<String, Long> sums = new TreeMap<>();
            for (Counters counters : all) {
                for (int i = 0; i < TYPES * CODES; i++) {
                    long count = counters.counts.get(i);
                    if (count > 0) {
                        sums.merge(labels(i), count, Long::sum);
                    }
                }
            }
            StringBuilder text = new StringBuilder("# HELP fairlead_dns_responses_total Questions answered.\n"
                    + "# TYPE fairlead_dns_responses_total counter\n");
            sums.forEach(
                    (labels, count) -> text.append("fairlead_dns_responses_total{%s} %d\n".formatted(labels, count)));
            return text.toString();
        }

        private static String labels(int place) {
            int type = place / CODES;
            return "type=\"%s\",rcode=\"%s\""
                    .formatted(type == 0 ? "other" : RecordType.text(type), ResponseCode.text(place % CODES));
        }
    }

    void count(int type, int code) {
        int place = (type < TYPES ? type : 0) * CODES + (code & (CODES - 1));
        counts.incrementAndGet(place);
    }
}
