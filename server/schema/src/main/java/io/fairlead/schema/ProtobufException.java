package io.fairlead.schema;

/// Bytes that are not the protobuf body of a built-in kind.
public final class ProtobufException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtobufException(String message) {
        super(message);
    }

    ProtobufException(String message, Throwable cause) {
        super(message, cause);
    }
}
