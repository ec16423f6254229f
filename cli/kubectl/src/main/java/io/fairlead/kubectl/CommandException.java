package io.fairlead.kubectl;

/// A command cannot do what was asked; the sentence is for the one who typed it, whole, as it will be printed.
public final class CommandException extends RuntimeException {
    private final String sentence;

    public CommandException(String sentence) {
        super(sentence);
        this.sentence = sentence;
    }

    public CommandException(String sentence, Throwable cause) {
        super(sentence, cause);
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
