package io.fairlead.sync;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;

/// `/metrics`, in the format that the scraper asks for.
final class MetricsPage implements ProxyServer.Page {
    private final PrometheusRegistry registry;
    private final ExpositionFormats formats = ExpositionFormats.init();

    MetricsPage(PrometheusRegistry registry) {
        this.registry = registry;
    }

    @Override
    public ProxyServer.Answer answer(String accept) throws IOException {
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        writer.write(body, registry.scrape());
        return new ProxyServer.Answer(200, Map.of("Content-Type", writer.getContentType()), body.toByteArray());
    }
}
