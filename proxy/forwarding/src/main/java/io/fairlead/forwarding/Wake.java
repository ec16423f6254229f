package io.fairlead.forwarding;

import java.time.Duration;
import java.util.Optional;

/// A backend with work that time brings: a draining real server whose connections end, an association that was
/// idle.
///
/// Both are called by the thread that applies.
public interface Wake {
    /// In how long [#look] is to be called; nothing where nothing waits.
    Optional<Duration> nextLook();

    /// Does what is due. Throws [ApplyException] if the kernel refuses; then the next round observes.
    void look();
}
