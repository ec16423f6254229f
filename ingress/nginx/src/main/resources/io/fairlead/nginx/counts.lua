-- Requests by Ingress, Service and code: counted in the worker, added up in shared memory once a second and when the
-- worker ends.
local counts = {}

local shared = ngx.shared.fairlead_counts
local BOUNDS = { 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10 }

-- By Ingress, then by Service.
local own = {}

local function fresh(ingress, service)
    local services = own[ingress] or {}
    own[ingress] = services
    local mine = { bytes = 0, seconds = 0, quick = 0, codes = {}, buckets = {} }
    services[service] = mine
    return mine
end

local function slow(buckets, seconds)
    for i = 2, #BOUNDS do
        if seconds <= BOUNDS[i] then
            buckets[BOUNDS[i]] = (buckets[BOUNDS[i]] or 0) + 1
            return
        end
    end
    buckets["+Inf"] = (buckets["+Inf"] or 0) + 1
end

-- Most requests are quick: no loop for them, so that all of it is compiled.
function counts.request(ingress, service, status, seconds, bytes)
    local services = own[ingress]
    local mine = services and services[service] or fresh(ingress, service)
    local codes = mine.codes
    codes[status] = (codes[status] or 0) + 1
    mine.bytes = mine.bytes + bytes
    mine.seconds = mine.seconds + seconds
    if seconds <= 0.005 then
        mine.quick = mine.quick + 1
    else
        slow(mine.buckets, seconds)
    end
end

function counts.flush()
    local now = own
    own = {}
    for ingress, services in pairs(now) do
        for service, mine in pairs(services) do
            local labels = ingress .. "\t" .. service .. "\t"
            shared:incr("bytes\t" .. labels, mine.bytes, 0)
            shared:incr("seconds\t" .. labels, mine.seconds, 0)
            for status, amount in pairs(mine.codes) do
                shared:incr("requests\t" .. labels .. status, amount, 0)
            end
            mine.buckets[BOUNDS[1]] = mine.quick
            for bound, amount in pairs(mine.buckets) do
                shared:incr("bucket\t" .. labels .. bound, amount, 0)
            end
        end
    end
end

function counts.start()
    ngx.timer.every(1, counts.flush)
end

-- Lines of key and amount.
function counts.tell()
    counts.flush()
    local lines = {}
    for _, key in ipairs(shared:get_keys(0)) do
        lines[#lines + 1] = key .. "\t" .. tostring(shared:get(key)) .. "\n"
    end
    ngx.print(lines)
end

return counts
