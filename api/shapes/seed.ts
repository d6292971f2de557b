import { drawScheme } from '../../core/fairness/derive.ts'
import type { PublicSeed } from '../../core/fairness/read-seeds.ts'
import { revealByOf } from '../../core/fairness/reveal-seeds.ts'
import { hash, nullable, oneOf, seedId, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { revealedSeed } from './opening-evidence.ts'

/** A seed as players see it, and operators too. */
export const seed = shapeOf<PublicSeed>()('Seed', {
  id: field(seedId, (seed) => seed.id),
  state: field(oneOf(['next', 'active', 'retired', 'revealed']), (seed) => seed.state, {
    description: 'The state of the seed.',
    example: 'revealed',
  }),
  scheme: field(oneOf([drawScheme]), () => drawScheme, {
    description: 'How outcomes are derived from it.',
    example: 'hmac-sha256-v1',
  }),
  commitment: field(hash, (seed) => seed.commitment, {
    description: 'The SHA-256 of the seed, published before its use.',
    example: 'bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45',
  }),
  seed: field(nullable(hash), (seed) => seed.revealedSeed, revealedSeed),
  created_at: field(time, (seed) => seed.createdAt, {
    description: 'When it was made.',
    example: '2030-01-30T00:00:00.000Z',
  }),
  activated_at: field(nullable(time), (seed) => seed.activatedAt, {
    description: 'When the seed came into use.',
    example: '2030-01-31T00:00:00.000Z',
  }),
  retired_at: field(nullable(time), (seed) => seed.retiredAt, {
    description: 'When the next seed of the casino replaced it.',
    example: '2030-02-01T00:00:00.000Z',
  }),
  reveal_by: field(nullable(time), ({ retiredAt }) => (retiredAt === null ? null : revealByOf(retiredAt)), {
    description:
      'By when the seed is revealed: five minutes after its retirement. `null` while it is in use.',
    example: '2030-02-01T00:05:00.000Z',
  }),
  revealed_at: field(nullable(time), (seed) => seed.revealedAt, {
    description: 'When the seed was revealed.',
    example: '2030-02-01T00:00:30.000Z',
  }),
})
