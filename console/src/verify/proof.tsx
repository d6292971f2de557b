import './proof.css'
import { sumOf } from './draw-again.ts'
import { readText, read } from './record.ts'
import type { Proof } from './verify-opening.ts'
import { describe, explain, formatChance, headlines, questions, resultWords } from './words.ts'

/** The promise, the checks, and their results. */
export function ProofView({ proof }: { proof: Proof }) {
  const { result, row, steps } = proof
  return (
    <div class={`proof ${result}`}>
      <p class="verdict">
        <strong>{headlines[result]}.</strong> {explain(proof)}
      </p>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.check} class={step.result}>
            <span class="question">{questions[step.check]}</span>{' '}
            <strong class="answer">{resultWords[step.result]}</strong>
            <p>{describe(step, row)}</p>
          </li>
        ))}
      </ol>
      <OddsView proof={proof} />
      <Derivation proof={proof} />
    </div>
  )
}

function OddsView({ proof: { table, row, drawn } }: { proof: Proof }) {
  if (table === undefined) return null
  const sum = sumOf(table.entries.map(({ weight }) => weight))
  const position = drawn?.position ?? read(row, 'position')
  return (
    <>
      <p class="question">The odds of this box</p>
      <table class="odds" aria-label="The odds of this box">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Chance</th>
            <th scope="col">Limited to</th>
          </tr>
        </thead>
        <tbody>
          {table.entries.map(({ itemId, weight, stock }, index) => (
            <tr key={index} class={index + 1 === position ? 'drawn' : undefined}>
              <td data-name="Item">
                <span>
                  <bdi>{itemId}</bdi>
                  {index + 1 === position && (
                    <strong> ({drawn === undefined ? 'as recorded' : 'drawn'})</strong>
                  )}
                </span>
              </td>
              <td data-name="Chance">{formatChance(weight, sum)}</td>
              <td data-name="Limited to">{stock ?? 'not limited'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {table.fallbackItemId !== null && (
        <p class="soft">
          Instead of an entry that is out of stock: <bdi>{table.fallbackItemId}</bdi>. This page cannot see
          what was in stock.
        </p>
      )}
    </>
  )
}

/** For people who want to do it by hand. */
function Derivation({ proof: { row, drawn } }: { proof: Proof }) {
  const texts: [string, string | undefined][] = [
    ['Fingerprint of the secret, published before', readText(row, 'seed_commitment')],
    ['Revealed secret (server seed)', readText(row, 'seed')],
    ['Player', readText(row, 'player_id')],
    ['Client seed', readText(row, 'client_seed')],
    ['Nonce', String(read(row, 'nonce'))],
    ['Fingerprint of the odds', readText(row, 'odds_hash')],
    ['Hashed text (HMAC-SHA-256 with the secret as the key)', drawn && showMarks(drawn.message)],
    ['Its first 8 bytes', drawn?.number],
    ['Ticket, and the sum of weights', drawn && `${drawn.ticket} of ${drawn.sum}`],
    ['Entry that the ticket falls into', drawn && String(drawn.position)],
    ['Signed by the key', readText(row, 'signing_key')],
  ]
  return (
    <details class="derivation">
      <summary>The numbers, to check by hand</summary>
      <dl>
        {texts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text === undefined ? '–' : <bdi>{text}</bdi>}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Right-to-left marks would show the text in another order than it is hashed in. */
function showMarks(text: string): string {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
