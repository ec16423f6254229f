-- Whether an address is in one of some ranges, by its bits.
local ranges = {}

local BITS = {}
for b = 0, 255 do
    local text = ""
    for i = 7, 0, -1 do
        text = text .. math.floor(b / 2 ^ i) % 2
    end
    BITS[string.char(b)] = text
end

-- `address` as nginx has it: 4 or 16 bytes.
function ranges.contain(list, address)
    local bits
    for i = 1, #list do
        local range = list[i]
        if range.length == #address then
            bits = bits or string.gsub(address, ".", BITS)
            if string.sub(bits, 1, #range.bits) == range.bits then
                return true
            end
        end
    end
    return false
end

return ranges
