package io.fairlead.dist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/// A test that runs together with others of its cluster, as long as none of them adds or takes away nodes: those lock
/// [#NODES]. Such tests wait most of the time.
@Test
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = BesideOthers.NODES, mode = ResourceAccessMode.READ)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface BesideOthers {
    String NODES = "nodes";
}
