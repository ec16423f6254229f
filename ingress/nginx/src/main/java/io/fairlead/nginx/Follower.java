package io.fairlead.nginx;

import io.fairlead.api.Snapshot;
import io.fairlead.routes.RouteTable;

/// Brings nginx to a Snapshot: by Lua where it has that, else by its configuration alone.
interface Follower {
    /// We no longer know what nginx knows: next time it is given everything.
    void forget();

    /// True if nginx has not got all of the last Snapshot yet: a reload was put off, or failed.
    boolean isBehind();

    /// Gives nginx what differs; the answer is the table it now serves.
    RouteTable follow(Snapshot snapshot) throws InterruptedException;
}
