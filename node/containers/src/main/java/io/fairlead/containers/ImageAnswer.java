package io.fairlead.containers;

/// What came of the search for an image.
public sealed interface ImageAnswer {
    record Found(RunnableImage image) implements ImageAnswer {}

    /// `reason` is the word of Kubernetes: `ErrImagePull`, `ErrImageNeverPull`, `InvalidImageName`.
    record Missing(String reason, String message) implements ImageAnswer {}
}
