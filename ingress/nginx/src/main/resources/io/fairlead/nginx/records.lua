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

-- Takes lines of key, tab and JSON; all of them count at once. False where the memory is full.
function records.take(lines, all)
    local version = dict:get("version") or 0
    if all then
        dict:flush_all()
        dict:flush_expired()
        version = version + BEHIND
    end
    local good = true
    for key, value in string.gmatch(lines, "([^\t\n]*)\t([^\n]*)\n") do
        local done
        if value == "" then
            dict:delete(key)
            done = true
        else
            done = dict:safe_set(key, value)
        end
        good = good and done
        version = version + 1
        dict:set("change:" .. version, key)
        dict:delete("change:" .. (version - BEHIND))
    end
    dict:set("version", version)
    return good
end

return records
