/// Test-only: scenarios, golden files, the contract of the backends, packets.
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
