-- Reads JSON: what the controller writes, so a fault is a bug and ends in an error.
local json = {}

local byte, find, sub, gsub, char = string.byte, string.find, string.sub, string.gsub, string.char

local ESCAPES = { ["b"] = "\b", ["f"] = "\f", ["n"] = "\n", ["r"] = "\r", ["t"] = "\t" }

local function utf8(code)
    if code < 0x80 then
        return char(code)
    elseif code < 0x800 then
        return char(0xC0 + math.floor(code / 64), 0x80 + code % 64)
    end
    return char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

local function text(s, at)
    local from = at + 1
    local to = from
    while true do
        to = find(s, '["\\]', to)
        if not to then
            error("a text without an end")
        end
        if byte(s, to) == 34 then
            break
        end
        to = to + 2
    end
    local raw = sub(s, from, to - 1)
    if find(raw, "\\", 1, true) then
        raw = gsub(raw, "\\(.)(%x?%x?%x?%x?)", function(c, hex)
            if c == "u" then
                return utf8(tonumber(hex, 16))
            end
            return (ESCAPES[c] or c) .. hex
        end)
    end
    return raw, to + 1
end

local value

local function skip(s, at)
    return find(s, "%S", at) or error("JSON ends too soon")
end

local function object(s, at)
    local result = {}
    at = skip(s, at + 1)
    while byte(s, at) ~= 125 do
        local key
        key, at = text(s, at)
        at = skip(s, skip(s, at) + 1)
        result[key], at = value(s, at)
        at = skip(s, at)
        if byte(s, at) == 44 then
            at = skip(s, at + 1)
        end
    end
    return result, at + 1
end

local function array(s, at)
    local result, count = {}, 0
    at = skip(s, at + 1)
    while byte(s, at) ~= 93 do
        count = count + 1
        result[count], at = value(s, at)
        at = skip(s, at)
        if byte(s, at) == 44 then
            at = skip(s, at + 1)
        end
    end
    return result, at + 1
end

value = function(s, at)
    local c = byte(s, at)
    if c == 123 then
        return object(s, at)
    elseif c == 91 then
        return array(s, at)
    elseif c == 34 then
        return text(s, at)
    end
    local _, to, word = find(s, "^([%w.+-]+)", at)
    if word == "true" then
        return true, to + 1
    elseif word == "false" then
        return false, to + 1
    elseif word == "null" then
        return nil, to + 1
    end
    return tonumber(word) or error("no JSON: " .. sub(s, at, at + 20)), to + 1
end

function json.decode(s)
    return (value(s, skip(s, 1)))
end

return json
