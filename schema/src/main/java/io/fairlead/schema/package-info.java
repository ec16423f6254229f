/// The fields of every built-in kind, as data: what OpenAPI, protobuf bodies, field checks and patches are made from.
@NullMarked
package io.fairlead.schema;

import org.jspecify.annotations.NullMarked;
