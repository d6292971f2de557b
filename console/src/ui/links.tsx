import { casinoPath } from '../place.ts'
import { GivenName } from './values.tsx'

/** Links to the pages of a casino's objects, named by their ids. */
export function PlayerLink({ casinoId, playerId }: { casinoId: string; playerId: string }) {
  return (
    <a href={casinoPath(casinoId, `/players/${encodeURIComponent(playerId)}`)}>
      <GivenName text={playerId} />
    </a>
  )
}

export function PrizeLink({ casinoId, prizeId, text }: { casinoId: string; prizeId: string; text?: string }) {
  return (
    <a href={casinoPath(casinoId, `/prizes/${encodeURIComponent(prizeId)}`)}>
      <GivenName text={text ?? prizeId} />
    </a>
  )
}

export function OrderLink({ casinoId, orderId }: { casinoId: string; orderId: string }) {
  return <a href={casinoPath(casinoId, `/orders/${orderId}`)}>{orderId}</a>
}

export function CashbackLink({ casinoId, cashbackId }: { casinoId: string; cashbackId: string }) {
  return <a href={casinoPath(casinoId, `/cashbacks/${cashbackId}`)}>{cashbackId}</a>
}

export function BoxLink({ casinoId, boxId }: { casinoId: string; boxId: string }) {
  return (
    <a href={casinoPath(casinoId, `/boxes/${encodeURIComponent(boxId)}`)}>
      <GivenName text={boxId} />
    </a>
  )
}
