/** A range of time of a list, as its query and its URL have it. */
export interface TimeRange {
  created_from?: string
  created_until?: string
}

/** The range in the URL of a page, and the problems of its ends by their names: a list with a problem is not loaded. */
export function rangeIn(query: Readonly<Record<string, string>>): {
  range: TimeRange
  problems: TimeRange
} {
  const { created_from: from = '', created_until: until = '' } = query
  const problems: TimeRange = {}
  if (from !== '' && !isTime(from)) problems.created_from = wrongTime
  if (until !== '' && !isTime(until)) problems.created_until = wrongTime
  else if (from !== '' && Date.parse(until) < Date.parse(from))
    problems.created_until = 'This is before the beginning.'
  return {
    range: {
      ...(from === '' ? {} : { created_from: from }),
      ...(until === '' ? {} : { created_until: until }),
    },
    problems,
  }
}

/** The fields of a range among the filters of a list. */
export function rangeFilters(problems: TimeRange) {
  return [
    { name: 'created_from', label: 'From', hint: timeExample, problem: problems.created_from },
    { name: 'created_until', label: 'Before', hint: timeExample, problem: problems.created_until },
  ] as const
}

const timeExample = '2030-01-31T12:00:00Z'
const wrongTime = `Write a date or a time with its offset, such as 2030-01-31 or ${timeExample}.`

/** As the service accepts it: a time has its offset from UTC, a date is its beginning in UTC. */
function isTime(text: string): boolean {
  const isComplete = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  return isComplete && !Number.isNaN(Date.parse(text))
}

/** The range of the second in which an id was made: the first 12 digits after its prefix are its milliseconds. */
export function rangeOfId(id: string): TimeRange {
  const madeMs = Number.parseInt(id.slice(4, 16), 16)
  return {
    created_from: new Date(madeMs).toISOString(),
    created_until: new Date(madeMs + 1000).toISOString(),
  }
}
