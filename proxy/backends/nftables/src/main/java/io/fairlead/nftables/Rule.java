package io.fairlead.nftables;

import java.util.List;
import java.util.stream.Stream;

/// Steps that are done one after the other until one finds nothing.
record Rule(List<Expression> steps) {
    Rule {
        steps = List.copyOf(steps);
    }

    static Rule of(Expression... steps) {
        return new Rule(List.of(steps));
    }

    Rule then(List<Expression> more) {
        return new Rule(Stream.concat(steps.stream(), more.stream()).toList());
    }

    Rule then(Expression... more) {
        return then(List.of(more));
    }
}
