/// The revisioned, watchable object store: memory and SQLite behind one door.
@NullMarked
package io.fairlead.store;

import org.jspecify.annotations.NullMarked;
