/// From a Snapshot to what nginx does, without touching anything.
///
/// ```
///  Snapshot ──► RouteTable ──┬──► Feed: records for the Lua in nginx, by key; a change is what differs
///  (api)        hosts, paths └──► NginxConfiguration: a tree, printed by NginxText; a change is a reload
/// ```
///
/// What a user writes is data in the Feed. Only values of a closed grammar (sizes, times, words of a list)
/// reach the tree, through a [Profile].
@NullMarked
package io.fairlead.routes;

import org.jspecify.annotations.NullMarked;
