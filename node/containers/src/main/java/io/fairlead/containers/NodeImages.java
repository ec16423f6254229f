package io.fairlead.containers;

import io.fairlead.api.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The images of a node: those of its table, and those of its store, which asks registries.
public final class NodeImages {
    private final ImageTable table;
    private final ImageStore store;
    private final MachineRoot machine;
    private final Path programs;

    /// `folder` is the node's place for images; `programs` has those of the sample images.
    public NodeImages(ImageTable table, ImageStore store, Path folder, Path programs) {
        this.table = table;
        this.store = store;
        this.machine = MachineRoot.make(folder.resolve("machine"));
        this.programs = programs;
    }

    /// `pulling` is run when a registry is asked.
    public ImageAnswer find(Pod.Container container, PullSecrets secrets, Runnable pulling)
            throws InterruptedException {
        Optional<Image> row = table.find(container.image());
        if (row.isPresent()) {
            return new ImageAnswer.Found(row.get()
                    .rootFolder()
                    .map(root -> rooted(row.get(), container, root))
                    .orElseGet(() -> sample(row.get(), container)));
        }
        return store.find(container.image(), container.settings().imagePullPolicy(), secrets, pulling);
    }

    /// Lets go of images, to win so many bytes; none whose content is in `used`. Gives their names.
    public List<String> collect(Set<String> used, long bytes) throws InterruptedException {
        return store.collect(used, bytes);
    }

    /// A program that does nothing, and lets the kernel reap its children.
    public RunnableImage pause() {
        List<String> words =
                List.of("perl", "-e", "$SIG{CHLD} = 'IGNORE'; $SIG{TERM} = $SIG{INT} = sub { exit }; sleep while 1");
        ImageConfig config = new ImageConfig(words, List.of(), Map.of(), "", "", "");
        return new RunnableImage(config, List.of(machine.folder()), machine.binds(), "pause");
    }

    private static RunnableImage rooted(Image row, Pod.Container container, Path root) {
        return new RunnableImage(row.config(container), List.of(root), List.of(), row.pattern());
    }

    private RunnableImage sample(Image row, Pod.Container container) {
        List<ContainerSpec.Bind> binds = new java.util.ArrayList<>(machine.binds());
        binds.add(new ContainerSpec.Bind(programs, Programs.FOLDER, true));
        binds.addAll(MachineRoot.program(row.command()));
        return new RunnableImage(row.config(container), List.of(machine.folder()), binds, row.pattern());
    }
}
