-- One of 100,000 tenants per request.
local n = 0
request = function()
  n = (n * 1103515245 + 12345) % 2147483648
  return wrk.format("GET", string.format("/v1/check?d.tenant=tnt%06d&d.api=public", n % 100000))
end
