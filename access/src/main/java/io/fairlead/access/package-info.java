/// Who a client is and what it may do: certificates, tokens, RBAC.
@NullMarked
package io.fairlead.access;

import org.jspecify.annotations.NullMarked;
