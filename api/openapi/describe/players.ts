import { grant, grantsInput, grantsQuery, playerGrantsQuery } from '../../admin/grants.ts'
import { openingDetails } from '../../admin/openings.ts'
import { note, noteInput } from '../../admin/notes.ts'
import { inventoryInput, playerBalance, playerOverview } from '../../admin/players.ts'
import { prize, prizeDetails, prizeInput, voidInput } from '../../admin/prizes.ts'
import { eraseInput, erasure, erasurePreview, exportInput } from '../../admin/privacy.ts'
import { playerExport } from '../../admin/player-export.ts'
import { timeline } from '../../admin/timeline.ts'
import type { Descriptions } from '../description.ts'
import { list } from '../../../core/shape/json-schema.ts'
import { pageOf, success } from './bodies.ts'

export const playerDescriptions = {
  'POST /grants': {
    operationId: 'createGrants',
    tag: 'Players',
    summary: 'Grant openings',
    description: 'Grants all of them or none. A `grant_id` makes a grant safe to repeat.',
    body: grantsInput,
    answers: {
      200: { description: 'The grants, in the order of the request.', schema: success(list(grant.type)) },
    },
    errors: ['box_unknown', 'grant_conflict', 'quota_exceeded'],
  },
  'GET /grants': {
    operationId: 'listGrants',
    tag: 'Players',
    summary: 'List the grants of a casino',
    description:
      'In the order of time, the newest first. Includes used and expired grants. `GET …/players/{player_id}/grants` lists those of one player.',
    query: grantsQuery,
    answers: { 200: { description: 'The grants.', schema: pageOf(grant.type) } },
    errors: [],
  },
  'POST /prizes': {
    operationId: 'givePrize',
    tag: 'Players',
    summary: 'Give a prize',
    description: 'With a `prize_id` chosen by the caller it is safe to repeat.',
    body: prizeInput,
    answers: {
      200: {
        description: 'The prize, which the player already has.',
        schema: success(prize.type),
        example: { opening_id: null },
      },
      201: { description: 'The prize.', schema: success(prize.type), example: { opening_id: null } },
    },
    errors: ['item_unknown', 'prize_exists', 'quota_exceeded', 'approval_required'],
  },
  'GET /prizes/:prize_id': {
    operationId: 'getPrize',
    tag: 'Players',
    summary: 'Show a prize',
    description: 'Shows its orders and cashbacks and the history of all of them.',
    answers: { 200: { description: 'The prize.', schema: success(prizeDetails.type) } },
    errors: ['prize_unknown'],
  },
  'GET /prizes/:prize_id/timeline': {
    operationId: 'getPrizeTimeline',
    tag: 'Players',
    summary: 'Show all that happened to a prize',
    description:
      'The history of the prize, its orders and its cashbacks, calls of partners, webhook deliveries, notes, and what operators tried or looked at. Each read is recorded in the audit trail.',
    answers: {
      200: { description: 'The timeline.', schema: success(timeline.type), headers: ['Cache-Control'] },
    },
    errors: ['prize_unknown'],
  },
  'POST /prizes/:prize_id/notes': {
    operationId: 'addPrizeNote',
    tag: 'Players',
    summary: 'Add a note to a prize',
    description: 'The timeline of the prize shows it.',
    body: noteInput,
    asksNoReason: true,
    answers: { 201: { description: 'The note, without its text.', schema: success(note.type) } },
    errors: ['prize_unknown'],
  },
  'POST /prizes/:prize_id/void': {
    operationId: 'voidPrize',
    tag: 'Players',
    summary: 'Void a prize',
    description:
      'Permanently, for a prize that was given by mistake or won by fraud. Only while it is `won`: void an ordered one by its order, ' +
      'and one that is cashed back by its cashback. A limited stock does not get it back.',
    body: voidInput,
    isBodyOptional: true,
    answers: {
      200: { description: 'The prize, voided.', schema: success(prize.type), example: { state: 'voided' } },
    },
    errors: ['prize_unknown', 'revision_changed', 'transition_illegal', 'approval_required'],
  },
  'GET /openings/:opening_id': {
    operationId: 'getOpeningDetails',
    tag: 'Players',
    summary: 'Show an opening',
    description: 'Shows the evidence of the draw, as players get it, and the prize.',
    answers: { 200: { description: 'The opening.', schema: success(openingDetails.type) } },
    errors: ['opening_unknown'],
  },
  'GET /players/:player_id': {
    operationId: 'getPlayer',
    tag: 'Players',
    summary: 'Show a player',
    description:
      'Shows what the player has, counted by state. A player whom nobody has given anything has nothing.',
    answers: { 200: { description: 'The player.', schema: success(playerOverview.type) } },
    errors: [],
  },
  'GET /players/:player_id/prizes': {
    operationId: 'listPlayerPrizes',
    tag: 'Players',
    summary: 'List a player’s prizes',
    description: 'Optionally only those in one state.',
    query: inventoryInput,
    answers: { 200: { description: 'The prizes.', schema: pageOf(prize.type) } },
    errors: [],
  },
  'GET /players/:player_id/grants': {
    operationId: 'listPlayerGrants',
    tag: 'Players',
    summary: 'List a player’s grants',
    description: 'Includes used and expired grants.',
    query: playerGrantsQuery,
    answers: { 200: { description: 'The grants.', schema: pageOf(grant.type) } },
    errors: [],
  },
  'GET /players/:player_id/balance': {
    operationId: 'getPlayerBalance',
    tag: 'Players',
    summary: 'Show a player’s balance',
    description: 'Shows the cashback that was credited and not reversed.',
    answers: {
      200: {
        description: 'Credited cashback by currency.',
        schema: success(playerBalance.type),
      },
    },
    errors: [],
  },
  'GET /players/:player_id/erasure': {
    operationId: 'previewErasure',
    tag: 'Players',
    summary: 'Show what an erasure of a player would erase',
    description: 'Erases nothing. Prizes, orders, amounts and draws are never erased.',
    answers: { 200: { description: 'The preview.', schema: success(erasurePreview.type) } },
    errors: [],
  },
  'POST /players/:player_id/erase': {
    operationId: 'erasePlayer',
    tag: 'Players',
    summary: 'Erase a player’s personal data',
    description:
      'Erases delivery details, operators’ notes and the client seed for future draws. Open orders are erased when they are finished. This cannot be undone. With `expected_content_hash` only what the preview has shown.',
    body: eraseInput,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'The data that were erased, and those that will be erased later.',
        schema: success(erasure.type),
      },
    },
    errors: ['revision_changed'],
  },
  'POST /players/:player_id/export': {
    operationId: 'exportPlayer',
    tag: 'Players',
    summary: 'Export all that is stored about a player',
    description:
      'Returns up to 500 objects of each kind, the newest first. While `complete` is false, `next_cursor` leads to the rest.',
    body: exportInput,
    isBodyOptional: true,
    onlyReads: true,
    answers: {
      200: { description: 'The export.', schema: success(playerExport.type), headers: ['Cache-Control'] },
    },
    errors: [],
  },
} as const satisfies Descriptions
