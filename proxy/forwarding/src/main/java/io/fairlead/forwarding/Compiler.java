package io.fairlead.forwarding;

import java.util.List;
import java.util.OptionalInt;

/// What the rows of a forwarding table are in the language of one backend. Pure.
///
/// The unit of compiling is one Service: a [Program] is the union of the foundation and of what each Service
/// gives, so cost follows the change.
public interface Compiler<E extends Entry> {
    /// What stands in the kernel even without a Service. Addresses and service networks of the node may change
    /// while the backend runs; how the node knows its pods, and the mark, are as they were when it was opened.
    List<E> foundation(NodeFacts node);

    /// What the rows of one Service need; the same rows give the same entries. The keys do not depend on
    /// `detail`.
    Compiled<E> compile(List<Forwarding> rows, Detail detail);

    /// The most targets of a table that is still compiled in full detail; nothing where all are. A pod counts
    /// once for each port of a Service that it serves.
    ///
    /// The detail depends on the table alone, not on what was written before, so a program that was reached
    /// step by step is the one compiled from scratch. When it changes, every Service is compiled anew, once.
    default OptionalInt mostInFull() {
        return OptionalInt.empty();
    }

    /// Plays packets through a program of this compiler, as the kernel of `node` would.
    Tracer tracer(Program<E> program, NodeFacts node);
}
