package io.fairlead.http;

import java.util.List;

/// A step that every request passes on its way to the router: it refuses by an exception, or goes on to the next step.
interface Filter {
    Answer answer(Exchange exchange, Next next) throws InterruptedException;

    /// The rest of the way.
    interface Next {
        Answer answer(Exchange exchange) throws InterruptedException;
    }

    /// The filters in this order, and `last` behind them.
    static Next chain(List<Filter> filters, Next last) {
        return filters.reversed().stream()
                .reduce(last, (next, filter) -> exchange -> filter.answer(exchange, next), (_, other) -> other);
    }
}
