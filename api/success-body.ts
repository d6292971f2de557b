import type { Opening } from '../core/box/opening.ts'

/** The documented answer of `POST /prize/order`. */
export const orderRecordedBody = JSON.stringify({
  status: 'success',
  message: 'Prize order recorded. Awaiting confirmation for shipment.',
})

/** The documented answer of `POST /prize/cashback`. */
export const cashbackRecordedBody = JSON.stringify({
  status: 'success',
  message: 'Cashback decision recorded',
})

/**
 * The answer of `POST /box/open`, which tells what was won. `prize.id` is what the other two operations take as
 * `prize_id`.
 */
export function renderOpening(opening: Opening): string {
  const { id, boxId, version, prizeId, draw, expiresAt } = opening
  const { item } = draw
  return JSON.stringify({
    status: 'success',
    message: 'Box opened successfully',
    prize: {
      id: prizeId,
      item_id: item.id,
      name: item.name,
      kind: item.kind,
      ...(item.description === null ? {} : { description: item.description }),
      ...(item.imageUrl === null ? {} : { image_url: item.imageUrl }),
      ...(item.cashback === null
        ? {}
        : {
            cashback: {
              amount_minor: Number(item.cashback.amountMinor),
              currency: item.cashback.currency,
            },
          }),
      ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }),
    },
    opening: {
      id,
      box_id: boxId,
      box_version: version,
      odds_hash: opening.oddsHash,
      seed_id: opening.seedId,
      seed_commitment: opening.seedCommitment,
      nonce: Number(opening.nonce),
      ...(opening.clientSeed === null ? {} : { client_seed: opening.clientSeed }),
      ...(draw.isSubstituted ? { substituted_for: draw.entry.item.id } : {}),
      ...(draw.isForced ? { forced: true } : {}),
    },
  })
}
