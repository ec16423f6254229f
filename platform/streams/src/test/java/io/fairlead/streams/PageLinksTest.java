package io.fairlead.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PageLinksTest {
    private final PageLinks links = new PageLinks("/api/v1/namespaces/a/pods/web/proxy", "web:80");

    @ParameterizedTest
    @CsvSource(textBlock = """
        <a href="/">,                      <a href="P/">
        <a href="/x?y=1#z">,               <a href="P/x?y=1#z">
        <img src='/a.png'>,                <img src='P/a.png'>
        <form ACTION = "/go">,             <form ACTION = "P/go">
        <a href="http://web:80/x">,        <a href="P/x">
        <a href="http://other/x">,         <a href="http://other/x">
        <a href="//other/x">,              <a href="//other/x">
        <a href="x">,                      <a href="x">
        <a href="#top">,                   <a href="#top">
        <a href="P/x">,                    <a href="P/x">
        <p>href is /x</p>,                 <p>href is /x</p>
        """, quoteCharacter = '`')
    void links_to_the_root_lead_through_the_proxy(String page, String led) {
        assertThat(links.page(page.replace("P", links.prefix()))).isEqualTo(led.replace("P", links.prefix()));
    }

    @Test
    void a_redirect_leads_through_the_proxy() {
        HttpHead head = HttpHead.of("HTTP/1.1 302 Found").with("Location", "/login");
        assertThat(links.redirect(head).header("Location")).isEqualTo(links.prefix() + "/login");
        HttpHead away = HttpHead.of("HTTP/1.1 302 Found").with("Location", "https://example.com/");
        assertThat(links.redirect(away)).isEqualTo(away);
    }
}
