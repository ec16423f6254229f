package io.fairlead.nginx;

/// nginx, or the machine below it, failed the controller.
public final class NginxException extends RuntimeException {
    public NginxException(String sentence) {
        super(sentence);
    }

    public NginxException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
