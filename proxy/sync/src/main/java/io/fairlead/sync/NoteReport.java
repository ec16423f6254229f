package io.fairlead.sync;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.fairlead.forwarding.Note;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports what the backends cannot program as asked: each note once in the log and as an Event on its Service,
/// and how many there are as a metric.
final class NoteReport {
    private static final Logger LOG = LoggerFactory.getLogger(NoteReport.class);

    private final EventSender events;
    private final Gauge count;
    private Set<Note> reported = Set.of(); // of the loop alone

    NoteReport(EventSender events, PrometheusRegistry registry) {
        this.events = events;
        this.count = Gauge.builder()
                .name("fairlead_program_notes")
                .help("How many rows are not programmed as their Service asks; /dump lists them.")
                .register(registry);
    }

    void synced(LayeredProgram program, Snapshot snapshot) {
        Set<Note> notes = program.notes().collect(Collectors.toUnmodifiableSet());
        count.set(notes.size());
        for (Note note : notes) {
            if (!reported.contains(note)) {
                report(note, snapshot);
            }
        }
        reported = notes;
    }

    private void report(Note note, Snapshot snapshot) {
        LOG.warn(
                "event=not-as-asked service={} frontend={} asked=\"{}\" done=\"{}\"",
                note.service(),
                note.frontend(),
                note.asked(),
                note.done());
        snapshot.services()
                .find(note.service().service())
                .ifPresent(service -> events.send(new EventDraft(
                        Kind.SERVICE,
                        service.key(),
                        service.metadata().uid(),
                        "Warning",
                        "NotProgrammedAsAsked",
                        "%s asks for %s; done instead: %s".formatted(note.frontend(), note.asked(), note.done()))));
    }
}
