package io.fairlead.resolver;

import io.fairlead.zone.RecordType;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.ZoneSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/// How many questions were answered, by zone, type and code, and how long they took; those who answer most count apart
/// from each other.
final class Counters {
    private static final int TYPES = 64;
    private static final int CODES = 16;
    private static final int PLACES = TYPES * CODES;

    private final AtomicLongArray counts = new AtomicLongArray(ZonePart.count() * PLACES);
    private final Timings[] timings = new Timings[ZonePart.count()];

    private Counters() {
        for (int i = 0; i < timings.length; i++) {
            timings[i] = Timings.ofAnswers();
        }
    }

    /// The counters of all threads of a server.
    static final class All {
        private final List<Counters> all = new CopyOnWriteArrayList<>();

        Counters one() {
            Counters counters = new Counters();
            all.add(counters);
            return counters;
        }

        /// As Prometheus reads it.
        String text(ZoneSettings settings) {
            Map<String, Long> sums = new TreeMap<>();
            for (Counters counters : all) {
                for (int i = 0; i < ZonePart.count() * PLACES; i++) {
                    long count = counters.counts.get(i);
                    if (count > 0) {
                        sums.merge(labels(i, settings), count, Long::sum);
                    }
                }
            }
            StringBuilder text = new StringBuilder("# HELP fairlead_dns_responses_total Questions answered.\n"
                    + "# TYPE fairlead_dns_responses_total counter\n");
            sums.forEach(
                    (labels, count) -> text.append("fairlead_dns_responses_total{%s} %d\n".formatted(labels, count)));
            return text + durations(settings);
        }

        private String durations(ZoneSettings settings) {
            String name = "fairlead_dns_request_duration_seconds";
            StringBuilder text = new StringBuilder(
                    "# HELP %1$s From taking a question in to sending its answer.%n# TYPE %1$s histogram%n"
                            .formatted(name));
            for (int part = 0; part < ZonePart.count(); part++) {
                Timings sum = Timings.ofAnswers();
                for (Counters counters : all) {
                    sum.add(counters.timings[part]);
                }
                if (sum.count() > 0) {
                    text.append(sum.text(
                            name, "zone=\"%s\"".formatted(ZonePart.at(part).label(settings))));
                }
            }
            return text.toString();
        }

        private static String labels(int place, ZoneSettings settings) {
            int type = place % PLACES / CODES;
            return "zone=\"%s\",type=\"%s\",rcode=\"%s\""
                    .formatted(
                            ZonePart.at(place / PLACES).label(settings),
                            type == 0 ? "other" : RecordType.text(type),
                            ResponseCode.text(place % CODES));
        }
    }

    void count(ZonePart part, int type, int code) {
        int place = part.number() * PLACES + (type < TYPES ? type : 0) * CODES + (code & (CODES - 1));
        counts.incrementAndGet(place);
    }

    void took(ZonePart part, long nanos, long times) {
        timings[part.number()].took(nanos, times);
    }
}
