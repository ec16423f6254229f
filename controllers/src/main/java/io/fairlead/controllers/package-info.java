/// Snapshot to writes, pure, and one runner.
@NullMarked
package io.fairlead.controllers;

import org.jspecify.annotations.NullMarked;
