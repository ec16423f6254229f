package io.fairlead.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The files and folders of the node that a pod names, by the types of the API.
final class HostPaths {
    private HostPaths() {}

    /// Makes what the type says is made, and refuses what is not of the type.
    static void require(Path path, String type) {
        switch (type) {
            case "DirectoryOrCreate" -> {
                if (!Files.exists(path)) {
                    Folders.make(path, "rwxr-xr-x");
                }
            }
            case "FileOrCreate" -> {
                if (!Files.exists(path)) {
                    Folders.write(path, "");
                }
            }
            default -> {}
        }
        if (!Files.exists(path)) {
            throw new NodeException("hostPath: %s is not there".formatted(path));
        }
        boolean right = switch (type) {
            case "", "DirectoryOrCreate" -> !type.equals("DirectoryOrCreate") || Files.isDirectory(path);
            case "Directory" -> Files.isDirectory(path);
            case "File", "FileOrCreate" -> Files.isRegularFile(path);
            case "Socket", "CharDevice", "BlockDevice" -> attributes(path).isOther();
            default -> throw new NodeException("hostPath.type: there is no type " + type);
        };
        if (!right) {
            throw new NodeException("hostPath type check failed: %s is not a %s".formatted(path, type));
        }
    }

    private static BasicFileAttributes attributes(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) {
            throw new NodeException("hostPath: cannot look at " + path, e);
        }
    }
}
