import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../api.ts'

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** An instant in the viewer's time zone; the exact one in UTC appears on hover. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span class="soft">–</span>
  return (
    <time dateTime={at} title={at}>
      {dateTime.format(new Date(at))}
    </time>
  )
}

/** How long ago, such as "3 hours ago". It is brought up to date every minute. */
export function Ago({ at }: { at: string | null }) {
  const nowMs = useNowMs()
  if (at === null) return <span class="soft">–</span>
  return (
    <time dateTime={at} title={`${dateTime.format(new Date(at))} (${at})`}>
      {agoOf(new Date(at).getTime() - nowMs)}
    </time>
  )
}

const minuteMs = 60_000
const units = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: minuteMs },
] as const

function agoOf(distanceMs: number): string {
  const fitting = units.find(({ ms }) => Math.abs(distanceMs) >= ms)
  if (fitting === undefined) return distanceMs > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(distanceMs / fitting.ms), fitting.unit)
}

function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNowMs(Date.now())
    }, minuteMs)
    return () => {
      clearInterval(timer)
    }
  }, [])
  return nowMs
}

/** An amount in the smallest unit of its currency, as people write it. */
export function Money({ amount }: { amount: Schemas['Money'] | null }) {
  return amount === null ? <span class="soft">–</span> : <span class="number">{formatMoney(amount)}</span>
}

export function formatMoney({ amount_minor: minor, currency }: Schemas['Money']): string {
  let format: Intl.NumberFormat
  try {
    format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  } catch {
    return `${minor} ${currency}`
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  // As text, because amounts beyond 2^53 come as text and must not be rounded.
  const text = String(minor)
  const sign = text.startsWith('-') ? '-' : ''
  const padded = text.replace('-', '').padStart(digits + 1, '0')
  const whole = padded.slice(0, padded.length - digits)
  const fraction = padded.slice(padded.length - digits)
  return format.format(`${sign}${whole}${digits > 0 ? `.${fraction}` : ''}` as Intl.StringNumericLiteral)
}

const calm = ['delivered', 'credited', 'fulfilled', 'cashed_back', 'enabled', 'active', 'done', 'success']
const alarming = [
  'exception',
  'unknown',
  'manual_review',
  'reversal_unknown',
  'reversal_review',
  'declined',
  'failed',
  'paused',
  'disabled',
  'refused',
]
const waiting = [
  'pending_confirmation',
  'cancel_requested',
  'pending_approval',
  'requested',
  'held',
  'waiting',
]

/** A state as a coloured label. The colour repeats the meaning of the word. */
export function State({ state }: { state: string }) {
  const tone = calm.includes(state)
    ? 'calm'
    : alarming.includes(state)
      ? 'alarming'
      : waiting.includes(state)
        ? 'waiting'
        : 'plain'
  return <span class={`state ${tone}`}>{wordsOf(state)}</span>
}

/** A code such as `prize_order.confirmation_requested`, which breaks between its words where a line is too short. */
export function Code({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=[._])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}

/** `manual_review` as "manual review". */
export function wordsOf(code: string): string {
  return code.replaceAll('_', ' ')
}

/**
 * Text that callers have chosen. It is isolated, so that right-to-left marks in it cannot reorder what stands beside it.
 * All of it can be read, with a button where it is very long.
 */
export function Given({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= givenMax) return <bdi class="given">{text}</bdi>
  return (
    <>
      <bdi class="given">{isWhole ? text : cut(text, givenMax)}</bdi>{' '}
      <button
        type="button"
        class="quiet"
        aria-expanded={isWhole}
        onClick={() => {
          setWhole(!isWhole)
        }}
      >
        {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`}
      </button>
    </>
  )
}

/** The same as the text of a link: its page has all of it, so it is cut when it is long. */
export function GivenName({ text }: { text: string }) {
  return (
    <bdi class="given" title={text}>
      {cut(text, nameMax)}
    </bdi>
  )
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text)

/** More than any reason or line of an address has. */
const givenMax = 600
const nameMax = 120

/** An id, which can be copied. */
export function Id({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <span class="id">
      <code>
        <bdi>{id}</bdi>
      </code>
      <button
        type="button"
        class="quiet"
        aria-label={`Copy ${id}`}
        onClick={() => {
          navigator.clipboard.writeText(id).then(
            () => {
              setCopied(true)
            },
            () => {
              setCopied(false)
            },
          )
        }}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}
