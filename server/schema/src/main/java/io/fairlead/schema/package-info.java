/// The fields of every built-in kind, as data, and all that follows from them.
///
/// ```
/// core.v1.txt, apps.v1.txt, … ─► Schemas ─► StructType ─► Field ─► FieldType
///                                   │
///                                   ├─► FieldCheck       unknown fields and wrong types of a body
///                                   ├─► Protobuf         a protobuf body to a JSON tree, and back
///                                   └─► OpenApi          /openapi/v2 and /openapi/v3
/// ```
///
/// Pure: the only thing that is read is the tables, which are part of the program.
@NullMarked
package io.fairlead.schema;

import org.jspecify.annotations.NullMarked;
