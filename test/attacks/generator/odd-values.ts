import type { Random } from './random.ts'

const long = 'x'.repeat(5_000)

/** Texts that are known to have broken software. */
const texts = [
  '',
  ' ',
  '\t',
  '\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u0085',
  '\u202eabc',
  '\uffff',
  '💥',
  'x'.repeat(128),
  'x'.repeat(129),
  '\u00e9'.repeat(128),
  '𝒳'.repeat(64),
  '𝒳'.repeat(65),
  long,
  '\u0000'.repeat(100),
  "' OR 1=1 --",
  "'; DROP TABLE prize; --",
  '%',
  '_',
  '\\',
  '"',
  '${7*7}',
  '{{7*7}}',
  '#{7*7}',
  '$1',
  '%s%n',
  '$(id)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '=1+1',
  '@SUM(1)',
  '../../etc/hosts',
  '..\\..',
  '%00',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '01',
  '9007199254740993',
  '-1',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'length',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '2026-11-20T24:00:00Z',
  '20261120',
  '2030-01-31T12:00:00+99:99',
  '1969-12-31',
  '+275760-09-13T00:00:00.000Z',
  '2030-01-31T12:00:00.123456789012Z',
  'https://127.0.0.1:9/',
  'http://x',
  'https://',
  'javascript:alert(1)',
  'file:///x',
  'https://[::1',
  '//x',
  'a@b',
  'a@b.c',
  `${'a'.repeat(64)}@${'b'.repeat(250)}.com`,
  '\r\nX-Injected: 1',
  '{"level":"fatal"}',
  '\u001b[31m',
  'Europe/Malta',
  'posix/UTC',
  'EST',
  '../../UTC',
  'UTC\u0000',
  'EUR',
  'eur',
  'ZZZ',
  'E',
  'ＥＵＲ',
  'evt_1',
  'evt_0',
  'evt_9223372036854775807',
  'evt_9223372036854775808',
  'ord_',
  'whsec_',
  'whsec_AAAA',
  '*',
  'prize.*',
]

const numbers = [
  0,
  -0,
  -1,
  1,
  0.1,
  1.5,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e15,
  1e21,
  1e100,
  1.797e308,
  Number.MIN_VALUE,
  100_000,
  1_000_000,
  36_500,
  30 * 86_400,
  200,
  1_000,
]

export function oddText(random: Random): string {
  return random.chance(0.9)
    ? random.pick(texts)
    : String.fromCharCode(...Array.from({ length: 20 }, () => random.below(65_536)))
}

/** Any JSON value, and rarely a valid one. */
export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 7 : 10)
  switch (kind) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.pick(numbers)
    case 7:
      return Array.from({ length: random.pick([0, 1, 2, 60, 1_001]) }, () => (random.chance(0.5) ? 'x' : 1))
    case 8:
      return [oddValue(random, depth + 1), oddValue(random, depth + 1)]
    case 9:
      return { [oddText(random)]: oddValue(random, depth + 1), id: oddValue(random, depth + 1) }
    default:
      return oddText(random)
  }
}

/** The value of a header: visible ASCII and blanks, and sometimes bytes beyond. */
export function oddHeader(random: Random): string {
  const visible = oddText(random).replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?')
  return visible.slice(0, random.pick([10, 200, 300])).trim()
}

/** Bodies that are not JSON, or that are too much for any reader. */
export function brokenBody(random: Random): string | Buffer {
  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  return random.pick<() => string | Buffer>([
    () => '',
    () => '{',
    () => 'null',
    () => '[]',
    () => '"x"',
    () => '0',
    () => '{"a":1,}',
    () => "{'a':1}",
    () => '{"a":NaN}',
    () => '{"name":1e999,"count":-1e999}',
    () => `{"name":${'9'.repeat(400)}}`,
    () => '\ufeff{}',
    () => '{}{}',
    () => '{"name":"\\ud800","reason":"\\u0000"}',
    () => '{"name":"a","name":{"b":1},"name":["c"]}',
    () => `{"entries":${nested('[', ']', 40)}}`,
    () => nested('[', ']', 3_000),
    () => `{"a":${nested('{"a":', '}', 30)}`,
    () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => Buffer.from(Array.from({ length: 50 }, () => random.below(256))),
    () => `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
    () => `{"${'k'.repeat(50_000)}":1}`,
    () => 'x'.repeat(70_000),
  ])()
}
