package io.fairlead.commands;

/// A command cannot do what was asked; the sentence is for the one who typed it, whole, as it will be printed.
final class CommandException extends RuntimeException {
    private final String sentence;

    CommandException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    CommandException(String sentence, Throwable cause) {
        super(sentence, cause);
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
