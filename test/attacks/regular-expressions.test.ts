import { expect } from 'chai'
import Joi from 'joi'
import { clientAddress } from '../../api/middleware/client-address.ts'
import { callerId, parseIdempotencyKey, parseInput, text } from '../../api/parse-input.ts'
import { money, timestamp } from '../../api/inputs.ts'
import { boxInput } from '../../api/admin/box-input.ts'
import { decodePosition, feedInput } from '../../api/admin/events.ts'
import { outboundUrl, signingSecret } from '../../api/admin/setting-input.ts'
import { deliveryInput } from '../../api/shapes/delivery-details.ts'
import { decodeCursor } from '../../api/paging.ts'
import { parseApiKey } from '../../core/casino/api-key.ts'
import { findKeyId } from '../../core/casino/find-key.ts'
import { normaliseNetwork } from '../../core/casino/allowed-addresses.ts'
import { parseOutboundUrl } from '../../core/partner/outbound-url.ts'
import { parseRetryAfter } from '../../core/partner/webhook-receiver.ts'
import { eventTypeFilterPattern } from '../../core/event/event-types.ts'
import { isLongForm } from '../support/runs.ts'

const rules = { allowPrivateAddresses: false }
const joi = (schema: Joi.Schema) => (value: string) => schema.validate(value)
const inBox = (name: string) => (value: string) =>
  boxInput.validate({ [name]: value, limit: { time_zone: value } })

/** Every function of the service that matches a caller's text, from its entry on. */
const readers: Record<string, (text: string) => unknown> = {
  callerId: joi(callerId),
  text: joi(text(1_000_000)),
  timestamp: joi(timestamp),
  money: (value) => money.validate({ amount_minor: 1, currency: value }),
  timeZone: inBox('time_zone'),
  imageUrl: inBox('image_url'),
  email: (value) =>
    Joi.object(deliveryInput).validate({ email: value, phone_number: value, postal_code: value }),
  idempotencyKey: (value) => quietly(() => parseIdempotencyKey(value, { isRequired: false })),
  input: (value) =>
    quietly(() => parseInput(boxInput, { kind: 'object', value: { [value]: value, name: value } })),
  apiKey: parseApiKey,
  keyInUrl: findKeyId,
  keysInUrl: (value) => findKeyId(`%rk_live_${value}`),
  network: normaliseNetwork,
  outboundUrl: (value) => parseOutboundUrl(value, rules),
  outboundUrlInput: joi(outboundUrl(rules)),
  signingSecret: joi(signingSecret),
  cursor: decodeCursor,
  position: decodePosition,
  eventTypes: (value) => feedInput.validate({ types: value, after: value }),
  eventType: (value) => eventTypeFilterPattern.test(value),
  retryAfter: (value) => parseRetryAfter(value, new Date()),
  address: (value) => clientAddress({ ip: value } as never),
}

/** Repetitions on which an ambiguous pattern would try every way to match; each has an end that does not match. */
const shapes: ((length: number) => string)[] = [
  ...[
    'a',
    ' ',
    '\t',
    '0',
    '9',
    '-',
    '.',
    ':',
    '/',
    '_',
    '%',
    '"',
    '@',
    ',',
    '=',
    'A',
    '\u00e9',
    '𝒳',
    '\u0000',
    '\\',
    '[',
    '+',
  ].map((unit) => (length: number) => unit.repeat(length)),
  ...[
    'a.',
    'a@',
    'a/',
    'ab,',
    '1.',
    '::',
    '1:',
    'a b',
    '-a',
    '+0',
    'rk_',
    'rk_live_',
    '*.',
    '%2',
    '/../',
    '1970-01-01T',
  ].map((unit) => (length: number) => unit.repeat(Math.ceil(length / unit.length))),
].flatMap((shape) => [
  shape,
  (length: number) => `${shape(length)}!`,
  (length: number) => `${shape(length)}\u0000`,
  (length: number) => `https://${shape(length)}!`,
  (length: number) => `a@${shape(length)}!`,
])

/** As much as fits into a body, and an eighth of that: a quadratic expression takes 64 times as long for the first. */
const long = isLongForm ? 64_000 : 32_000
const short = long / 8
/** Shorter times depend on clocks and other processes more than on the pattern. */
const negligibleMs = 20

describe('texts that are designed to be slow to match', function () {
  this.timeout(120_000)

  for (const [name, read] of Object.entries(readers)) {
    it(`are matched by ${name} in a time that grows linearly with their length at most`, () => {
      for (const shape of shapes) {
        if (timeOnce(read, shape(long)) <= negligibleMs) continue
        const slow = timeOf(read, shape(long))
        if (slow <= negligibleMs) continue
        const quick = timeOf(read, shape(short))
        expect(slow / Math.max(quick, 0.05), `${shape(12)} ${quick} ms, then ${slow} ms`).to.be.lessThan(24)
      }
    })
  }
})

/** The processor time, without that of other processes; the best of three, because this process does other work too. */
function timeOf(read: (text: string) => unknown, value: string): number {
  return Math.min(...Array.from({ length: 3 }, () => timeOnce(read, value)))
}

function timeOnce(read: (text: string) => unknown, value: string): number {
  const before = process.cpuUsage()
  read(value)
  return process.cpuUsage(before).user / 1000
}

function quietly(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error // it explains the problem with the text
  }
}
