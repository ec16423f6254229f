-- Requests by Ingress, Service and code: counted in the worker, added up in shared memory once a second.
local counts = {}

local shared = ngx.shared.fairlead_counts
local BOUNDS = { 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10 }

local own = {}

local function add(key, amount)
    own[key] = (own[key] or 0) + amount
end

function counts.request(ingress, service, status, seconds, bytes)
    local labels = ingress .. "\t" .. service .. "\t"
    add("requests\t" .. labels .. status, 1)
    add("bytes\t" .. labels, bytes)
    add("seconds\t" .. labels, seconds)
    for i = 1, #BOUNDS do
        if seconds <= BOUNDS[i] then
            add("bucket\t" .. labels .. BOUNDS[i], 1)
            return
        end
    end
    add("bucket\t" .. labels .. "+Inf", 1)
end

local function flush()
    local now = own
    own = {}
    for key, amount in pairs(now) do
        shared:incr(key, amount, 0)
    end
end

function counts.start()
    ngx.timer.every(1, flush)
end

-- Lines of key and amount.
function counts.tell()
    flush()
    local lines = {}
    for _, key in ipairs(shared:get_keys(0)) do
        lines[#lines + 1] = key .. "\t" .. tostring(shared:get(key)) .. "\n"
    end
    ngx.print(lines)
end

return counts
