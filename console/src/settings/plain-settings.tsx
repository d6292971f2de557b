import { decimalOf, minorOf } from '../money.ts'
import { readTyped } from '../typed.ts'
import { Field } from '../ui/form.tsx'
import { formatMoney, wordsOf } from '../ui/values.tsx'
import { partOf } from './setting-kind.ts'
import type { Setting, SettingKind } from './setting-kind.ts'

/** The settings that are numbers and lists. */
export const plainSettings = {
  reminders: {
    title: 'Reminders',
    text: 'When the casino is reminded of an order that waits for its confirmation.',
    facts: (setting) => [['Hours after the announcement', hoursOf(setting).join(', ') || 'none']],
    fields: (setting, problemOf) => (
      <Field
        name="after_hours"
        label="Hours after the announcement"
        hint="Ascending, separated by spaces, such as 24 72 168. Empty for no reminders."
        value={hoursOf(setting).join(' ')}
        problem={problemOf('after_hours')}
      />
    ),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const hours = typed.wordsIn('after_hours').map(Number)
      if (hours.some((hour) => !Number.isInteger(hour)))
        typed.refuse('after_hours', 'Write whole numbers, separated by spaces.')
      typed.check()
      return { after_hours: hours }
    },
  },
  expiry: {
    title: 'Warning before expiry',
    text: 'How many days before its last day a prize gets a warning, as the event prize.expiring.',
    facts: (setting) => {
      const days = partOf(setting, 'warn_days')
      return [['Days before', days === '0' ? 'no warning' : days]]
    },
    fields: (setting, problemOf) => (
      <Field
        name="warn_days"
        label="Days before"
        hint="0 to 60. 0 for no warning."
        value={partOf(setting, 'warn_days')}
        problem={problemOf('warn_days')}
        isRequired
      />
    ),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const days = typed.neededNumberIn('warn_days')
      typed.check()
      return { warn_days: days }
    },
  },
  privacy: {
    title: 'Privacy',
    text: 'How many days after the end of an order its delivery details are erased.',
    facts: (setting) => [['Days kept', partOf(setting, 'delivery_retention_days')]],
    fields: (setting, problemOf) => (
      <Field
        name="delivery_retention_days"
        label="Days kept"
        hint="1 to 3650. A shorter time erases older details soon; they cannot be brought back."
        value={partOf(setting, 'delivery_retention_days')}
        problem={problemOf('delivery_retention_days')}
        isRequired
      />
    ),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const days = typed.neededNumberIn('delivery_retention_days')
      typed.check()
      return { delivery_retention_days: days }
    },
  },
  approvals: {
    title: 'Approvals',
    text: 'The amounts above which an operator’s decision about money needs a second operator.',
    facts: (setting) => [
      ['Alone up to', approvalsOf(setting).map(formatMoney).join(', ') || 'any amount: nobody else is asked'],
    ],
    fields: (setting, problemOf) => (
      <Field
        name="limits"
        label="Alone up to"
        hint="One amount a line with its currency, such as 100.00 EUR. A currency without a line has no limit."
        value={approvalsOf(setting)
          .map((limit) => `${decimalOf(limit.amount_minor, limit.currency)} ${limit.currency}`)
          .join('\n')}
        problem={problemOf('limits')}
        rows={4}
      />
    ),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const lines = typed.textIn('limits').split('\n')
      const limits = lines.flatMap((line, index) => {
        if (line.trim() === '') return []
        const [amount = '', currency = '', ...more] = line.trim().split(/\s+/)
        const minor = minorOf(amount, currency)
        if (minor === undefined || more.length > 0)
          typed.refuse('limits', `Line ${index + 1} is not an amount with its currency, such as 100.00 EUR.`)
        return [{ amount_minor: minor ?? NaN, currency }]
      })
      if (new Set(limits.map(({ currency }) => currency)).size < limits.length)
        typed.refuse('limits', 'Each currency may have one line only.')
      typed.check()
      return { limits }
    },
  },
  limits: {
    title: 'Rate limits',
    text: 'How often the casino’s keys may call together. The service’s configuration applies to what is left empty.',
    isOfService: true,
    facts: (setting) =>
      operations.map((name) => {
        const limit = rateOf(setting, name)
        return [
          wordsOf(name),
          limit === undefined ? 'as configured' : `${limit.per_second} a second, burst ${limit.burst}`,
        ]
      }),
    fields: (setting, problemOf) =>
      operations.map((name) => {
        const limit = rateOf(setting, name)
        return (
          <fieldset key={name} class="pair">
            <legend>{wordsOf(name)}</legend>
            <Field
              name={`${name}.per_second`}
              label="A second"
              value={limit === undefined ? '' : String(limit.per_second)}
              problem={problemOf(`${name}.per_second`)}
            />
            <Field
              name={`${name}.burst`}
              label="Burst"
              value={limit === undefined ? '' : String(limit.burst)}
              problem={problemOf(`${name}.burst`)}
            />
          </fieldset>
        )
      }),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const limits = operations.flatMap((name) => {
        const [perSecond, burst] = [typed.numberIn(`${name}.per_second`), typed.numberIn(`${name}.burst`)]
        if (perSecond === undefined && burst === undefined) return []
        if (perSecond === undefined) typed.refuse(`${name}.per_second`, 'Fill in both, or neither.')
        if (burst === undefined) typed.refuse(`${name}.burst`, 'Fill in both, or neither.')
        return [[name, { per_second: perSecond ?? NaN, burst: burst ?? NaN }] as const]
      })
      typed.check()
      return Object.fromEntries(limits)
    },
  },
  quotas: {
    title: 'Quotas',
    text: 'How much the casino may have. The service’s configuration applies to what is left empty.',
    isOfService: true,
    facts: (setting) => quotas.map((name) => [wordsOf(name), partOf(setting, name) || 'as configured']),
    fields: (setting, problemOf) =>
      quotas.map((name) => (
        <Field
          key={name}
          name={name}
          label={wordsOf(name)}
          value={partOf(setting, name)}
          problem={problemOf(name)}
        />
      )),
    bodyOf: (values) => {
      const typed = readTyped(values)
      const entries = quotas.flatMap((name) => {
        const quota = typed.numberIn(name)
        return quota === undefined ? [] : [[name, quota] as const]
      })
      typed.check()
      return Object.fromEntries(entries)
    },
  },
} as const satisfies Record<string, SettingKind>

const operations = ['box_open', 'prize_order', 'prize_cashback', 'reads', 'management'] as const
const quotas = [
  'items',
  'boxes',
  'entries',
  'entries_per_day',
  'players',
  'webhook_endpoints',
  'seeds_per_day',
] as const

function hoursOf({ value }: Setting): unknown[] {
  const hours = value['after_hours']
  return Array.isArray(hours) ? hours : []
}

function approvalsOf({ value }: Setting): { amount_minor: number; currency: string }[] {
  const { limits = [] } = value as { limits?: { amount_minor: number; currency: string }[] }
  return limits
}

function rateOf({ value }: Setting, name: string): { per_second: number; burst: number } | undefined {
  return (value as Readonly<Record<string, { per_second: number; burst: number } | undefined>>)[name]
}
