package io.fairlead.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Device files in an image: they would be doors to the machine.
final class DeviceFiles {
    private static final int TYPE = 0170000;
    private static final int CHARACTER = 0020000;
    private static final int BLOCK = 0060000;

    private DeviceFiles() {}

    static void refuse(Path root) throws IOException {
        try (Stream<Path> all = Files.find(root, Integer.MAX_VALUE, (_, attributes) -> attributes.isOther())) {
            Optional<Path> device = all.filter(DeviceFiles::isDevice).findFirst();
            if (device.isPresent()) {
                throw new NodeException("the image has a device file: /" + root.relativize(device.get()));
            }
        }
    }

    private static boolean isDevice(Path file) {
        try {
            int type = (int) Files.getAttribute(file, "unix:mode", java.nio.file.LinkOption.NOFOLLOW_LINKS) & TYPE;
            return type == CHARACTER || type == BLOCK;
        } catch (IOException e) {
            throw new NodeException("cannot look at " + file, e);
        }
    }
}
