/// The pods of a node: namespaces, processes, addresses, routes.
@NullMarked
package io.fairlead.node;

import org.jspecify.annotations.NullMarked;
