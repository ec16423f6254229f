-- What the controller has told us: records by key in shared memory, read when first asked for and kept until they
-- change. A worker learns of a change when the next request comes.
local json = require "json"

local records = {}

local dict = ngx.shared.fairlead
local BEHIND = 20000

local seen = -1
local kept = {}

-- Forgets what changed since the last request.
function records.refresh()
    local version = dict:get("version") or 0
    if version == seen then
        return
    end
    if seen < 0 or version < seen or version - seen > BEHIND / 2 then
        kept = {}
    else
        for change = seen + 1, version do
            local key = dict:get("change:" .. change)
            if not key then
                kept = {}
                break
            end
            kept[key] = nil
        end
    end
    seen = version
end

-- The record of this key; nil where there is none. That there is none is not kept: clients may ask for any name.
function records.find(key)
    local record = kept[key]
    if record then
        return record
    end
    local text = dict:get(key)
    if not text then
        return nil
    end
    record = json.decode(text)
    kept[key] = record
    return record
end

-- Takes lines of key, tab and JSON; they count when all of them are there. False where the memory is full.
function records.take(lines)
    local version = dict:get("version") or 0
    local good = true
    for key, value in string.gmatch(lines, "([^\t\n]*)\t([^\n]*)\n") do
        local done
        if value == "" then
            dict:delete(key)
            done = true
        else
            done = dict:safe_set(key, value)
        end
        version = version + 1
        good = good and done and dict:safe_set("change:" .. version, key)
        dict:delete("change:" .. (version - BEHIND))
    end
    dict:set("version", version)
    return good
end

-- Forgets every record that is not in these lines of keys.
function records.retain(lines)
    local wanted = {}
    for key in string.gmatch(lines, "([^\t\n]*)\t[^\n]*\n") do
        wanted[key] = true
    end
    for _, key in ipairs(dict:get_keys(0)) do
        local ours = string.find(key, "^host:") or string.find(key, "^service:") or string.find(key, "^tls")
        if ours and not wanted[key] then
            dict:delete(key)
        end
    end
    dict:set("version", (dict:get("version") or 0) + BEHIND)
    return true
end

return records
