-- The requests of the benchmark for wrk: each with a number of its own, so with a prize or player of its own. For one
-- thread: several would have to share the numbers.
-- Arguments: path, API key, body template with {n} for the number, first number, last number.

function init(args)
  path = args[1]
  headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. args[2] }
  parts = {}
  for part in (args[3] .. "{n}"):gmatch("(.-){n}") do parts[#parts + 1] = part end
  next_number = tonumber(args[4])
  last_number = tonumber(args[5])
end

function request()
  -- Beyond the last number it sends one that is refused, which makes the run invalid.
  local number = next_number <= last_number and string.format("%032x", next_number) or "none"
  next_number = next_number + 1
  return wrk.format("POST", path, headers, table.concat(parts, number))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format('RESULT {"acknowledged":%d,"failed":%d,"seconds":%.3f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests - errors.status, failed, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
