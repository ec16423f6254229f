package io.fairlead.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test that makes network namespaces and programs them.
///
/// Without the right to do so it is skipped, with a reason; but under `CI=true` it fails: there a missing right is
/// a fault of the machine, and must not look like success.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RootCondition.class)
public @interface RequiresRoot {}
