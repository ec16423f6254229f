package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.api.EventDraft;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.api.Snapshot;
import io.fairlead.client.EventSender;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Note;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.MemoryCompiler;
import io.fairlead.testkit.MemoryEntry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NoteReportTest {
    private static final ServicePortName WEB =
            new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP);

    private final EventSender events = new EventSender("test", InstantSource.system());
    private final NoteReport report = new NoteReport(events, new PrometheusRegistry());
    private final Snapshot snapshot = TestCluster.withPod(1);

    /// Cannot do what any row asks.
    private static final class Unable implements Compiler<MemoryEntry> {
        private final MemoryCompiler able = new MemoryCompiler();

        @Override
        public List<MemoryEntry> foundation(NodeFacts node) {
            return able.foundation(node);
        }

        @Override
        public Compiled<MemoryEntry> compile(List<Forwarding> rows, Detail detail) {
            List<Note> notes =
                    rows.stream().map(row -> row.note("the moon", "nothing")).toList();
            return new Compiled<>(able.compile(rows, detail).entries(), notes);
        }

        @Override
        public Tracer tracer(Program<MemoryEntry> program, NodeFacts node) {
            return able.tracer(program, node);
        }
    }

    private LayeredProgram program(Compiler<MemoryEntry> compiler) {
        Program<MemoryEntry> program = Program.of(compiler, ForwardingTable.of(snapshot, TestCluster.NODE));
        return new LayeredProgram(List.of(new LayeredProgram.OfLayer("memory", program)));
    }

    @Test
    void a_note_becomes_one_event_however_many_rounds_there_are() {
        LayeredProgram program = program(new Unable());
        report.synced(program, snapshot);
        report.synced(program, snapshot);

        assertThat(program.notes()).containsExactly(new Note(WEB, "10.96.0.10:80/tcp", "the moon", "nothing"));
        assertThat(events.waiting())
                .extracting(EventDraft::reason, EventDraft::message)
                .containsExactly(
                        tuple("NotProgrammedAsAsked", "10.96.0.10:80/tcp asks for the moon; done instead: nothing"));
    }

    @Test
    void a_note_that_went_away_and_came_back_is_reported_again() {
        report.synced(program(new Unable()), snapshot);
        report.synced(program(new MemoryCompiler()), snapshot);
        report.synced(program(new Unable()), snapshot);
        assertThat(events.waiting()).hasSize(2);
    }
}
