/// The heart, pure: Snapshot to ForwardingTable, and the door of the backends.
@NullMarked
package io.fairlead.forwarding;

import org.jspecify.annotations.NullMarked;
