package io.fairlead.cli;

/// A command cannot do what was asked; the message is for the one who typed it, whole, as it will be printed.
final class CommandException extends RuntimeException {
    CommandException(String message) {
        super(message);
    }

    CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
