/// YAML text to JSON trees and back, as kubectl reads and writes it: pure.
@NullMarked
package io.fairlead.yaml;

import org.jspecify.annotations.NullMarked;
