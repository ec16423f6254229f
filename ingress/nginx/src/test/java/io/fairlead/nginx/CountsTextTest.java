package io.fairlead.nginx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CountsTextTest {
    @Test
    void buckets_add_up() {
        String page = CountsText.page(
                "bucket\ta/b\tc/d:80\t0.005\t2\nbucket\ta/b\tc/d:80\t10\t1\nseconds\ta/b\tc/d:80\t\t9.5\nrequests\ta/b\tc/d:80\t200\t3\n");
        assertThat(page)
                .contains("requests_total{ingress=\"a/b\",service=\"c/d:80\",status=\"200\"} 3.0")
                .contains("le=\"5\"} 2.0")
                .contains("le=\"10\"} 3.0")
                .contains("le=\"+Inf\"} 3.0")
                .contains("_sum{ingress=\"a/b\",service=\"c/d:80\"} 9.5");
    }
}
