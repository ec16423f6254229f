package io.fairlead.objects;

import io.fairlead.store.StoreException;

/// What the server answers a client when the store fails.
public final class StoreFailure {
    private StoreFailure() {}

    public static StatusException answer(StoreException failure) {
        return switch (failure.kind()) {
            case UNAVAILABLE -> StatusException.unavailable("the store cannot be reached: " + failure.getMessage());
            // Not to be tried again blindly, so without Retry-After: it may have been done.
            case UNCERTAIN ->
                StatusException.of(
                        504,
                        "Timeout",
                        "it is not known whether the write was made; look before you try again: "
                                + failure.getMessage());
            case TOO_LARGE ->
                StatusException.of(413, "RequestEntityTooLarge", "the store does not take it: " + failure.getMessage());
        };
    }
}
