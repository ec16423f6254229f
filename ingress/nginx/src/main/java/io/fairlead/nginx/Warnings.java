package io.fairlead.nginx;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is wrong with the ConfigMaps that hold for all, told once for each change.
final class Warnings {
    private static final Logger LOG = LoggerFactory.getLogger(Warnings.class);

    private List<String> told = List.of();

    void tell(List<String> sentences) {
        if (!sentences.equals(told)) {
            sentences.forEach(sentence -> LOG.warn("event=setting-ignored reason=\"{}\"", sentence));
            told = List.copyOf(sentences);
        }
    }
}
