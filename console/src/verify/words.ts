import type { Check, Proof, Reason, Result, Step } from './verify-opening.ts'
import { read, readText } from './record.ts'
import type { Row } from './record.ts'

/** The subject of each check, as a question that a player asks. */
export const questions: Readonly<Record<Check, string>> = {
  record: 'Is the record as the service wrote it?',
  promise: 'Was the secret fixed before you played?',
  odds: 'Are these the published odds?',
  draw: 'Does the secret lead to what you won?',
  receipt: 'Does it agree with the answer that you kept?',
}

export const resultWords: Readonly<Record<Result, string>> = {
  right: 'Yes',
  wrong: 'No',
  later: 'Not yet',
  unable: 'Cannot be checked',
}

export const headlines: Readonly<Record<Result, string>> = {
  right: 'Verified',
  wrong: 'Not as promised',
  later: 'Cannot be checked yet',
  unable: 'Cannot be checked',
}

/** The meaning of the result of all steps for the player. */
export function explain({ result, steps }: Proof): string {
  switch (result) {
    case 'right':
      return 'The outcome follows from the secret that the service had promised before, and from the published odds. Nobody has changed it afterwards.'
    case 'wrong':
      return 'At least one check failed. Keep this record as it is, and show it to the casino or to its supervisory authority.'
    case 'later':
      return steps.some(({ reason }) => reason === 'receipt_only')
        ? 'This is the answer that came when the box was opened. Keep it: it names the promise. When the casino has changed to its next secret, ask it for the record of this opening and hand in both here.'
        : 'The secret is still in use. It is revealed soon after the casino has changed to its next one; a person who knew it now could foresee outcomes. Keep this record, and ask the casino for it again then.'
    case 'unable':
      return 'Nothing here is known to be wrong, but not all of it can be checked. The steps below say why.'
    default:
      return result satisfies never
  }
}

/** The check of a step and its result. */
export function describe({ check, result, reason }: Step, row: Row): string {
  if (reason !== undefined && typeof reason === 'string') return because[reason]
  const field = reason?.field ?? ''
  const name = `The field ${JSON.stringify(field)}`
  switch (check) {
    case 'record':
      if (result === 'right')
        return 'Each field has its digest, and the service’s signature covers all of them.'
      return field === 'signing_key'
        ? 'The signature is not by the key of this service. A service that has got another key publishes the earlier one: compare them.'
        : field === 'signature'
          ? 'The signature does not belong to this record: something in it was changed after the service had signed it.'
          : `${name} was changed, added or taken away after the service had signed the record.`
    case 'promise':
      return result === 'right'
        ? 'The service published a fingerprint (SHA-256) of the secret before. The revealed secret has this fingerprint, so it was not exchanged. Compare the fingerprint with the one that you noted before playing.'
        : `${name} does not match: the revealed secret does not have the fingerprint that was published before.`
    case 'odds':
      return result === 'right'
        ? `The table below has the fingerprint that version ${String(read(row, 'box_version'))} of the box was published with.`
        : `${name} does not match: these are not the odds that the fingerprint was published for.`
    case 'draw':
      if (result === 'right')
        return readText(row, 'substituted_for') === undefined
          ? 'Drawn again from the secret, the player, the client seed and the nonce, it comes to the same entry of the odds.'
          : 'Drawn again, it comes to the same entry of the odds. That entry is limited and was recorded as out of stock, so the published replacement was won.'
      return `${name} does not match: drawn again, the outcome is another one.`
    case 'receipt':
      return result === 'right'
        ? 'The answer that came when the box was opened names the same promise, odds, nonce and prize.'
        : `${name} differs from the answer that came when the box was opened.`
    default:
      return check satisfies never
  }
}

const because: Readonly<Record<Exclude<Reason, object>, string>> = {
  not_revealed:
    'The secret is not revealed yet. Its fingerprint, below, is fixed; the rest can be checked as soon as the secret is there.',
  receipt_only: 'This needs the record of the opening, which the casino gives out.',
  no_ed25519:
    'This browser does not know the kind of signature (Ed25519). A newer one does; the other steps do not depend on it.',
  not_verifiable: 'This opening is from before openings could be verified.',
  unknown_scheme: 'It was drawn by a method that this page does not know.',
  not_drawn: 'Nothing was drawn: in a sandbox, a test has chosen the outcome.',
  odds_wrong: 'Without the published odds there is nothing to draw from.',
}

/** How likely an entry was, for people: four digits that say something. */
export function formatChance(weight: number, sum: bigint): string {
  const chance = weight / Number(sum)
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 4 }).format(chance)
}
