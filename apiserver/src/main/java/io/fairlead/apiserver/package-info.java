/// HTTP over the store: verbs, watch streams, admission, allocation.
@NullMarked
package io.fairlead.apiserver;

import org.jspecify.annotations.NullMarked;
