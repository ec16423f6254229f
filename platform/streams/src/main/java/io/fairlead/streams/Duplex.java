package io.fairlead.streams;

import java.io.InputStream;
import java.io.OutputStream;

/// Two directions of bytes. Closing `out` tells the other side that nothing more comes, and leaves `in` open.
public record Duplex(InputStream in, OutputStream out) {}
