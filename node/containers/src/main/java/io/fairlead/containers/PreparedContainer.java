package io.fairlead.containers;

/// A container that is ready to be made; what was put in place for it is let go when this is closed.
public record PreparedContainer(ContainerSpec spec, AutoCloseable held) implements AutoCloseable {
    @Override
    public void close() {
        try {
            held.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("what is held fails without a word", e);
        }
    }
}
