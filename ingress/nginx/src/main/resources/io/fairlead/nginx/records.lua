-- What the controller has told us: records by key in shared memory, read when first asked for and kept until they
-- change. A worker learns of a change when the next request comes.
local json = require "json"

local records = {}

local dict = ngx.shared.fairlead
local BEHIND = 20000

-- At most so many ways from host and path to a route are kept.
local WAYS = 20000

local now = ngx.now
local seen = -1
local checked = -1
local born = 0
local kept = {}
local count = 0

-- What was found for requests, by host and path, and Services by name: tables of their own, so that a request makes no
-- text to look for them.
records.ways = {}
records.services = {}

-- What was found for requests that need nothing but an endpoint, by host and path in one text.
records.quick = {}

-- True while a reload is near: clients that keep their connection are asked to come by another.
records.ending = nil

local function forget_ways()
    records.ways = {}
    records.quick = {}
    count = 0
end

local function forget_all()
    kept = {}
    records.services = {}
    forget_ways()
end

local function forget(key)
    kept[key] = nil
    if string.sub(key, 1, 8) == "service:" then
        records.services[string.sub(key, 9)] = nil
    elseif string.sub(key, 1, 5) == "host:" then
        forget_ways()
    end
end

local function catch_up(version)
    if seen < 0 or version < seen or version - seen > BEHIND / 2 then
        forget_all()
    else
        for change = seen + 1, version do
            local key = dict:get("change:" .. change)
            if not key then
                forget_all()
                break
            end
            forget(key)
        end
    end
    seen = version
end

-- Forgets what changed since the last request. Requests of one millisecond look once.
function records.refresh()
    local time = now()
    if time == checked then
        return
    end
    checked = time
    local version = dict:get("version") or 0
    if version ~= seen then
        catch_up(version)
    end
    records.ending = (dict:get("ending") or 0) > born
end

-- A reload is near. It means the workers that are there now, until they are asked to end: those that come with the reload
-- are younger. Should there be no reload, all is forgotten in five seconds.
function records.take_notice()
    ngx.update_time()
    dict:set("ending", now(), 5)
    checked = -1
    ngx.say("taken")
end

function records.begin()
    ngx.update_time()
    born = now()
end

-- Remembers what was found for a host and path.
function records.keep_way(host, path, found)
    if #path > 256 then
        return
    end
    if count >= WAYS then
        forget_ways()
    end
    local paths = records.ways[host]
    if not paths then
        paths = {}
        records.ways[host] = paths
    end
    paths[path] = found
    count = count + 1
end

function records.keep_quick(key, found)
    if #key <= 512 then
        if count >= WAYS then
            forget_ways()
        end
        records.quick[key] = found
        count = count + 1
    end
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

-- The Service of this name; nil where there is none.
function records.service(name)
    local service = records.services[name]
    if not service then
        service = records.find("service:" .. name)
        records.services[name] = service
    end
    return service
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
    checked = -1
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
    checked = -1
    return true
end

return records
