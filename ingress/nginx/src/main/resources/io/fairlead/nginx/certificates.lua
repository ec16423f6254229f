-- The certificate of a name, and who signs those of its clients. Without one the default stays.
local ssl = require "ngx.ssl"
local records = require "records"

local certificates = {}

local function of_name(name)
    local found = records.find("tls:" .. name)
    local dot = string.find(name, ".", 1, true)
    local wild = dot and records.find("tls:*" .. string.sub(name, dot))
    return found, wild
end

local function parsed(record)
    if not record.parsed then
        local chain, fault = ssl.parse_pem_cert(record.chain)
        local key
        if chain then
            key, fault = ssl.parse_pem_priv_key(record.key)
        end
        if not key then
            ngx.log(ngx.ERR, "certificate: ", fault)
        end
        record.parsed = key and { chain = chain, key = key } or { bad = true }
    end
    return record.parsed
end

function certificates.choose()
    records.refresh()
    local name = ssl.server_name()
    local found, wild
    if name then
        found, wild = of_name(string.lower(name))
    end
    local record = found and found.chain and found or wild and wild.chain and wild or records.find("tls-default")
    if record then
        local pair = parsed(record)
        if not pair.bad then
            ssl.clear_certs()
            ssl.set_cert(pair.chain)
            ssl.set_priv_key(pair.key)
        end
    end
    local asks = found and found.authorities and found or not found and wild and wild.authorities and wild
    if asks then
        if not asks.store then
            asks.store = ssl.parse_pem_cert(asks.authorities)
        end
        local done, fault = ssl.verify_client(asks.store, asks.depth)
        if not done then
            ngx.log(ngx.ERR, "client certificates: ", fault)
        end
    end
end

return certificates
