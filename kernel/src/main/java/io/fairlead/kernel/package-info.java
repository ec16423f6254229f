/// The only room with java.lang.foreign: syscalls, netlink, namespaces, child processes.
@NullMarked
package io.fairlead.kernel;

import org.jspecify.annotations.NullMarked;
