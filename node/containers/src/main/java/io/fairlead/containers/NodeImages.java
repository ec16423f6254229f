package io.fairlead.containers;

import io.fairlead.api.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

    public ImageAnswer find(Pod pod, Pod.Container container, PullSecrets secrets) throws InterruptedException {
        Optional<Image> row = table.find(container.image());
        if (row.isPresent()) {
            return new ImageAnswer.Found(row.get()
                    .rootFolder()
                    .map(root -> rooted(row.get(), container, root))
                    .orElseGet(() -> sample(row.get(), container)));
        }
        return store.find(container.image(), container.settings().imagePullPolicy(), secrets);
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
