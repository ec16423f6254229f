/// What has a say in a write because it looks at other objects, too: the account of a pod, limits and quotas of its
/// namespace, priorities, default classes.
@NullMarked
package io.fairlead.admission;

import org.jspecify.annotations.NullMarked;
