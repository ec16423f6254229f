package io.fairlead.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonPatchTest {
    /// The examples of RFC 7386, appendix A.
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{'a':'b'};{'a':'c'};{'a':'c'}",
                "{'a':'b'};{'b':'c'};{'a':'b','b':'c'}",
                "{'a':'b'};{'a':null};{}",
                "{'a':'b','b':'c'};{'a':null};{'b':'c'}",
                "{'a':['b']};{'a':'c'};{'a':'c'}",
                "{'a':'c'};{'a':['b']};{'a':['b']}",
                "{'a':{'b':'c'}};{'a':{'b':'d','c':null}};{'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]};{'a':[1]};{'a':[1]}",
                "['a','b'];['c','d'];['c','d']",
                "{'a':'b'};['c'];['c']",
                "{'a':'foo'};null;null",
                "{'a':'foo'};'bar';'bar'",
                "{'e':null};{'a':1};{'e':null,'a':1}",
                "[1,2];{'a':'b','c':null};{'a':'b'}",
                "{};{'a':{'bb':{'ccc':null}}};{'a':{'bb':{}}}"
            })
    void merge_patch(String target, String patch, String result) {
        assertThat(MergePatch.apply(Json.parse(quotes(target)), Json.parse(quotes(patch))))
                .isEqualTo(Json.parse(quotes(result)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{'a':1};[{'op':'add','path':'/b','value':2}];{'a':1,'b':2}",
                "{'a':[1,3]};[{'op':'add','path':'/a/1','value':2}];{'a':[1,2,3]}",
                "{'a':[1]};[{'op':'add','path':'/a/-','value':2}];{'a':[1,2]}",
                "{'a':1,'b':2};[{'op':'remove','path':'/a'}];{'b':2}",
                "{'a':[1,2]};[{'op':'remove','path':'/a/0'}];{'a':[2]}",
                "{'a':1};[{'op':'replace','path':'/a','value':null}];{'a':null}",
                "{'a':[1,2]};[{'op':'replace','path':'/a/1','value':9}];{'a':[1,9]}",
                "{'a':{'b':1}};[{'op':'move','from':'/a/b','path':'/c'}];{'a':{},'c':1}",
                "{'a':{'b':1}};[{'op':'copy','from':'/a','path':'/c'}];{'a':{'b':1},'c':{'b':1}}",
                "{'a':1};[{'op':'test','path':'/a','value':1}];{'a':1}",
                "{'a/b':1,'m~n':2};[{'op':'remove','path':'/a~1b'},{'op':'remove','path':'/m~0n'}];{}",
                "{'a':1};[{'op':'replace','path':'','value':{'b':2}}];{'b':2}"
            })
    void json_patch(String target, String patch, String result) {
        assertThat(JsonPatch.apply(Json.parse(quotes(target)), Json.parse(quotes(patch))))
                .isEqualTo(Json.parse(quotes(result)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "[{'op':'remove','path':'/missing'}];does not exist",
                "[{'op':'add','path':'/x/y','value':1}];does not exist",
                "[{'op':'add','path':'/list/5','value':1}];not the index",
                "[{'op':'add','path':'/list/01','value':1}];not the index",
                "[{'op':'remove','path':'/list/-'}];not the index",
                "[{'op':'add','path':'nowhere','value':1}];not a JSON pointer",
                "[{'op':'test','path':'/a','value':2}];testing path /a failed",
                "[{'op':'add','path':'/b'}];needs a value",
                "[{'op':'dance','path':'/b'}];unknown operation",
                "{'op':'add'};a JSON patch is a list"
            })
    void a_json_patch_that_does_not_fit_is_refused(String patch, String sentence) {
        assertThatThrownBy(() -> JsonPatch.apply(Json.parse("{\"a\":1,\"list\":[1,2]}"), Json.parse(quotes(patch))))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(sentence);
    }

    private static String quotes(String text) {
        return text.replace('\'', '"');
    }
}
