import { amountToJson } from '../../core/money.ts'
import type { ExportPosition, PlayerExport } from '../../core/privacy/export-player.ts'
import { exportedKinds } from '../../core/privacy/export-player.ts'
import { shipmentStatuses } from '../../core/partner/provider-outcome.ts'
import {
  amount,
  boolean,
  count,
  currency,
  id,
  list,
  nullable,
  oneOf,
  openingId,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, optionalField, shapeOf } from '../../core/shape/shape.ts'
import { cashback, walletAnswer } from './cashbacks.ts'
import { grantOfPlayer } from './grants.ts'
import { historyEntry } from './history.ts'
import { note } from './notes.ts'
import { orderWithReference } from './order-shapes.ts'
import { balance } from './players.ts'
import { prize } from './prizes.ts'

type Row<
  Kind extends
    'openings' | 'prizes' | 'shipmentUpdates' | 'cashbacks' | 'notes' | 'walletAnswers' | 'ledgerEntries',
> = PlayerExport[Kind][number]

const opening = shapeOf<Row<'openings'>>()(undefined, {
  opening_id: field(openingId, (opening) => opening.id),
  box_id: field(id, (opening) => opening.boxId),
  box_version: field(count, (opening) => opening.version),
  item_id: field(id, (opening) => opening.itemId),
  prize_id: field(id, (opening) => opening.prizeId),
  grant_id: field(nullable(id), (opening) => opening.grantId),
  client_seed: field(nullable(string), (opening) => opening.clientSeed),
  opened_at: field(time, (opening) => opening.openedAt),
})

const exportedPrize = shapeOf<Row<'prizes'>>()(undefined, {
  prize_id: field(id, (prize) => prize.id),
  item_id: field(id, (prize) => prize.itemId),
  item_name: field(string, (prize) => prize.itemName),
  kind: field(prize.fields.kind.type, (prize) => prize.kind),
  state: field(prize.fields.state.type, (prize) => prize.state, { example: 'ordered' }),
  expires_at: field(nullable(time), (prize) => prize.expiresAt),
  created_at: field(time, (prize) => prize.createdAt),
})

/** A provider's report about an order's parcel. */
const shipmentUpdate = shapeOf<Row<'shipmentUpdates'>>()('ShipmentNews', {
  news_id: field(string, (update) => update.id, {
    description: 'The provider’s own id of it; a hash once it is erased.',
    example: 'news-1',
  }),
  order_id: field(id, (update) => update.orderId),
  shipment_number: field(count, (update) => update.shipmentNumber),
  status: field(oneOf<string>(shipmentStatuses), (update) => update.status, { example: 'shipped' }),
  reason: field(nullable(string), (update) => update.reason, { example: null }),
  carrier: field(nullable(string), (update) => update.carrier),
  tracking_number: field(nullable(string), (update) => update.trackingNumber),
  occurred_at: field(time, (update) => update.occurredAt),
  received_at: field(time, (update) => update.receivedAt),
})

const exportedCashback = shapeOf<Row<'cashbacks'>>()(undefined, {
  cashback_id: field(id, (cashback) => cashback.id),
  prize_id: field(id, (cashback) => cashback.prizeId),
  amount_minor: field(amount, (cashback) => amountToJson(cashback.amountMinor)),
  currency: field(currency, (cashback) => cashback.currency),
  state: field(cashback.fields.state.type, (cashback) => cashback.state),
  wallet_reference: field(nullable(string), (cashback) => cashback.walletReference),
  created_at: field(time, (cashback) => cashback.createdAt),
})

const exportedAnswer = shapeOf<Row<'walletAnswers'>>()(undefined, {
  cashback_id: field(id, (answer) => answer.cashbackId),
  ...walletAnswer.fields,
})

const ledgerEntry = shapeOf<Row<'ledgerEntries'>>()(undefined, {
  transaction_id: field(string, (entry) => entry.transactionId),
  kind: field(
    oneOf<string>(['cashback_reserve', 'cashback_credit', 'cashback_void', 'cashback_reversal']),
    (entry) => entry.kind,
  ),
  cashback_id: field(id, (entry) => entry.cashbackId),
  account: field(oneOf<string>(['player_pending', 'player_wallet']), (entry) => entry.account, {
    description: 'Promised to the player (`player_pending`) or credited (`player_wallet`).',
    example: 'player_wallet',
  }),
  amount_minor: field(amount, (entry) => amountToJson(entry.amountMinor)),
  currency: field(currency, (entry) => entry.currency),
  created_at: field(time, (entry) => entry.createdAt),
})

const exportedNote = shapeOf<Row<'notes'>>()(undefined, {
  ...note.fields,
  text: field(nullable(string), ({ text }) => text, {
    description: 'Null once it is erased, or if it is damaged.',
    example: 'She asked by telephone whether the mug is dishwasher-safe',
  }),
  damaged: field(boolean, ({ isDamaged }) => isDamaged, {
    description: 'Whether the text cannot be decrypted.',
    example: false,
  }),
})

/** Everything that is stored about a player, or a part of it. */
export const playerExport = shapeOf<PlayerExport & { playerId: string }>()('PlayerExport', {
  player_id: field(id, ({ playerId }) => playerId),
  complete: field(boolean, ({ next }) => next === null, { description: 'Whether this is all of it.' }),
  first_seen_at: field(nullable(time), ({ player }) => player?.firstSeenAt ?? null, {
    description: 'When the service first saw the player.',
  }),
  erase_requested_at: field(nullable(time), ({ player }) => player?.eraseRequestedAt ?? null, {
    description: 'When the player’s data were to be erased.',
    example: null,
  }),
  erased_at: field(nullable(time), ({ player }) => player?.erasedAt ?? null, {
    description: 'When the player’s data were erased.',
    example: null,
  }),
  client_seed: field(nullable(string), ({ player }) => player?.clientSeed ?? null),
  client_seed_in_use: field(nullable(string), ({ player }) => player?.clientSeedInUse ?? null, {
    description: 'The client seed under the seed in use.',
    example: 'my lucky words',
  }),
  balances: field(list(balance.type), ({ balances }) => balances.map(balance.render), {
    description: 'The credited amounts, by currency.',
    example: [],
  }),
  grants: field(list(grantOfPlayer.type), ({ grants }) => grants.map(grantOfPlayer.render), {
    description: 'The grants.',
  }),
  openings: field(list(opening.type), ({ openings }) => openings.map(opening.render), {
    description: 'The openings.',
  }),
  prizes: field(list(exportedPrize.type), ({ prizes }) => prizes.map(exportedPrize.render), {
    description: 'The prizes.',
  }),
  orders: field(list(orderWithReference.type), ({ orders }) => orders.map(orderWithReference.render), {
    description: 'The orders, the oldest first.',
  }),
  news: field(
    list(shipmentUpdate.type),
    ({ shipmentUpdates }) => shipmentUpdates.map(shipmentUpdate.render),
    {
      description: 'The providers’ updates about these orders.',
    },
  ),
  cashbacks: field(list(exportedCashback.type), ({ cashbacks }) => cashbacks.map(exportedCashback.render), {
    description: 'The cashbacks, the oldest first.',
    example: [],
  }),
  wallet_answers: field(list(exportedAnswer.type), (found) => found.walletAnswers.map(exportedAnswer.render)),
  ledger_entries: field(list(ledgerEntry.type), (found) => found.ledgerEntries.map(ledgerEntry.render), {
    description: 'The player’s side of all movements of these cashbacks.',
    example: [],
  }),
  history: field(list(historyEntry.type), ({ history }) => history.map(historyEntry.render)),
  notes: field(list(exportedNote.type), ({ notes }) => notes.map(exportedNote.render), {
    description: 'Operators’ notes, the newest first.',
  }),
  removed_months: field(list(string), ({ removedMonths }) => [...removedMonths], {
    description:
      'Months whose rows are in files of the archive only, since the player was first seen. This lacks prizes, orders, cashbacks, openings and history that were archived in them.',
    example: [],
  }),
  next_cursor: optionalField(string, ({ next }) => (next === null ? undefined : encodePosition(next)), {
    description: 'Where the next page begins. Absent on the last one, but for feeds.',
    example: undefined,
  }),
})

export function encodePosition(position: ExportPosition): string {
  return Buffer.from(JSON.stringify(exportedKinds.map((kind) => position[kind])), 'utf8').toString(
    'base64url',
  )
}
