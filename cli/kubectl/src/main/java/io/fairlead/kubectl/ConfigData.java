package io.fairlead.kubectl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The data of a ConfigMap as they are typed: `KEY=VALUE`, files, and folders of files.
final class ConfigData {
    private final Map<String, String> data = new TreeMap<>();

    private ConfigData() {}

    static Map<String, String> read(List<String> literals, List<String> files) {
        ConfigData read = new ConfigData();
        for (String literal : literals) {
            int equals = literal.indexOf('=');
            if (equals < 1) {
                throw new CommandException("error: invalid literal source %s, expected key=value".formatted(literal));
            }
            read.put(literal.substring(0, equals), literal.substring(equals + 1));
        }
        files.forEach(read::readNamed);
        return read.data;
    }

    private void readNamed(String named) {
        int equals = named.indexOf('=');
        Path file = Path.of(named.substring(equals + 1));
        try {
            if (equals < 0 && Files.isDirectory(file)) {
                readFolder(file);
            } else {
                put(
                        equals < 0 ? String.valueOf(file.getFileName()) : named.substring(0, equals),
                        Files.readString(file));
            }
        } catch (IOException e) {
            throw new CommandException(
                    "error: error reading %s: no text in UTF-8 can be read there (%s)".formatted(file, e), e);
        }
    }

    private void readFolder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            put(String.valueOf(file.getFileName()), Files.readString(file));
        }
    }

    private void put(String key, String value) {
        if (data.putIfAbsent(key, value) != null) {
            throw new CommandException(
                    "error: cannot add key \"%s\", another key by that name already exists in Data".formatted(key));
        }
    }
}
