-- What the configuration calls, and what nginx knew last: when it starts by itself it goes on with what the controller
-- kept in a file.
require "resty.core"
local records = require "records"
local route = require "route"
local choice = require "choice"
local answers = require "answers"
local counts = require "counts"
local over = require "over"
local certificates = require "certificates"

-- Each is called for each request, so none looks for its module.
fairlead = {
    quick = route.quick,
    quick_secure = route.quick_secure,
    plain = route.take_plain,
    last = route.take_last,
    notice = records.take_notice,
    profile = route.take,
    balancer = choice.make,
    headers = answers.headers,
    log = over.log,
    certificate = certificates.choose,
    worker = function()
        records.begin()
        counts.start()
    end,
    worker_ends = counts.flush,
}

local dict = ngx.shared.fairlead
if not dict:get("version") then
    local folder = string.match(package.path, "^([^;]*)/lua/%?%.lua")
    local file = io.open(folder .. "/state", "r")
    if file then
        records.take(file:read("*a"))
        file:close()
    end
end
