import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Attempts } from './attempts.tsx'
import { CashbackLink, OrderLink } from './links.tsx'
import { Empty } from './states.tsx'
import { Given, GivenName, Time, wordsOf } from './values.tsx'

type Entry = Schemas['TimelineEntry']

/** The kinds of entries, as the API names them. */
export const entryKinds: readonly Entry['kind'][] = ['event', 'attempt', 'delivery', 'action', 'note']

const kindWords: Readonly<Record<Entry['kind'], string>> = {
  event: 'Change',
  attempt: 'Call',
  delivery: 'Webhook',
  action: 'Operator',
  note: 'Note',
}

/** All that happened, the newest first. */
export function Timeline({
  casinoId,
  entries,
  traceUrl,
}: {
  casinoId: string
  entries: readonly Entry[]
  /** The address of a trace, with `{trace_id}`. */
  traceUrl: string | null
}) {
  if (entries.length === 0) return <Empty>There is nothing of this kind.</Empty>
  return (
    <ol class="timeline">
      {entries.toReversed().map((entry, index) => (
        <li key={`${entry.kind} ${entry.object.id} ${entry.at} ${entries.length - index}`} class={entry.kind}>
          <div>
            <Time at={entry.at} /> <div class="soft">{kindWords[entry.kind]}</div>
          </div>
          <div>
            <What casinoId={casinoId} entry={entry} />
            <By entry={entry} />
            <Trace traceId={entry.trace_id} traceUrl={traceUrl} />
            {entry.reason !== null && (
              <div>
                <Given text={entry.reason} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function What({ casinoId, entry }: { casinoId: string; entry: Entry }) {
  const { kind, what, from, to, detail, damaged, delivery } = entry
  if (damaged) {
    return (
      <p class="problem">
        This note is damaged: its text cannot be decrypted. Its id is <code>{entry.object.id}</code>.
      </p>
    )
  }
  if (kind === 'note') {
    return detail === null ? (
      <p class="soft">The note was erased with the player.</p>
    ) : (
      <p class="note">
        <bdi>{detail}</bdi>
      </p>
    )
  }
  const name = wordsOf(what.replace('.', ': '))
  return (
    <div>
      <strong>{kind === 'action' ? wordsOf(what.replaceAll('-', '_')) : name}</strong>
      {delivery !== null && (
        <>
          {' '}
          to{' '}
          <a href={casinoPath(casinoId, `/webhooks/${encodeURIComponent(delivery.endpoint_id)}`)}>
            <GivenName text={delivery.endpoint_id} />
          </a>
        </>
      )}
      {to !== null && from !== to && (
        <span class="soft">
          {' '}
          {from === null ? '' : `${wordsOf(from)} `}→ {wordsOf(to)}
        </span>
      )}
      {delivery !== null && <DeliveryFacts delivery={delivery} />}
      {detail !== null && <span class="soft"> ({wordsOf(detail)})</span>}
      <About casinoId={casinoId} object={entry.object} />
    </div>
  )
}

function DeliveryFacts({ delivery }: { delivery: Schemas['WebhookDelivery'] }) {
  const { next_attempt_at: nextAt } = delivery
  return (
    <div class="soft tries">
      <span>Attempts:</span>
      <Attempts delivery={delivery} />
      {nextAt !== null && (
        <span>
          Next try: <Time at={nextAt} />
        </span>
      )}
    </div>
  )
}

/** The order or cashback that it is about; the page is about the prize. */
function About({ casinoId, object }: { casinoId: string; object: Entry['object'] }) {
  if (object.type === 'prize_order') {
    return (
      <div class="soft">
        Order <OrderLink casinoId={casinoId} orderId={object.id} />
      </div>
    )
  }
  if (object.type !== 'cashback') return null
  return (
    <div class="soft">
      Cashback <CashbackLink casinoId={casinoId} cashbackId={object.id} />
    </div>
  )
}

/** A link where the service knows where people look at traces. */
function Trace({ traceId, traceUrl }: { traceId: string | null; traceUrl: string | null }) {
  if (traceId === null) return null
  const id = <code>{traceId}</code>
  return (
    <div class="soft">
      Trace{' '}
      {traceUrl === null ? (
        id
      ) : (
        <a href={traceUrl.replace('{trace_id}', traceId)} target="_blank" rel="noreferrer">
          {id}
        </a>
      )}
    </div>
  )
}

function By({ entry }: { entry: Entry }) {
  const { actor, request_id: requestId } = entry
  if (actor === null) return null
  return (
    <div class="soft">
      by <Given text={actor} />
      {requestId !== null && (
        <>
          , request <code>{requestId}</code>
        </>
      )}
    </div>
  )
}
