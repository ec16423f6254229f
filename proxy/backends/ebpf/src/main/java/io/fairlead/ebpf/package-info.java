/// Services at connect time: programs in the kernel that give a connecting process another destination.
@NullMarked
package io.fairlead.ebpf;

import org.jspecify.annotations.NullMarked;
