/// List and watch into the newest Snapshot.
@NullMarked
package io.fairlead.client;

import org.jspecify.annotations.NullMarked;
