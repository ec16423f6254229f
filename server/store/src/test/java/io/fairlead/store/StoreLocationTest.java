package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreLocationTest {
    @Test
    void each_store_has_its_form() {
        assertThat(StoreLocation.parse("memory:")).isEqualTo(new StoreLocation.Memory());
        assertThat(StoreLocation.parse("memory")).isEqualTo(new StoreLocation.Memory());
        assertThat(StoreLocation.parse("sqlite:/var/lib/a.db"))
                .isEqualTo(new StoreLocation.Sqlite(Path.of("/var/lib/a.db")));
        assertThat(StoreLocation.parse("etcd:http://a:2379,https://b:2379?prefix=/mine&ca=ca.pem"))
                .isEqualTo(new EtcdLocation(
                        List.of(URI.create("http://a:2379"), URI.create("https://b:2379")),
                        "/mine",
                        new EtcdLocation.Tls(Path.of("ca.pem"), null, null)));
    }

    @Test
    void what_is_wrong_is_named() {
        refused(
                "postgres:x",
                "\"postgres:x\" is no store: memory:, sqlite:PATH or etcd:URL[,URL...][?prefix=/fairlead]");
        refused("etcd:a:2379", "\"a:2379\" is no member of etcd: http://HOST:PORT or https://HOST:PORT");
        refused("etcd:http://a:1?prefix=x", "prefix: \"x\" must begin with a slash, go on, and not end with one");
        refused("etcd:http://a:1?user=x", "\"user=x\" is no option of etcd: prefix=, ca=, cert=, key=");
        refused("etcd:https://a:1?cert=x", "cert and key: one is of no use without the other");
    }

    private static void refused(String text, String sentence) {
        assertThatThrownBy(() -> StoreLocation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }
}
