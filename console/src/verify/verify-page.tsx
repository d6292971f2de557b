import type { ComponentChildren, TargetedEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Explanation } from './explanation.tsx'
import { ProofView } from './proof.tsx'
import { readOpenings, UnreadableError } from './read-openings.ts'
import { readText } from './record.ts'
import { verifyMany } from './verify-many.ts'
import type { Report } from './verify-many.ts'
import type { Proof, Result } from './verify-opening.ts'
import { headlines } from './words.ts'

/** As large as all openings of a player can be; a browser can still read it in one piece. */
const fileBytesMax = 64 * 1024 * 1024

type Outcome =
  | { kind: 'busy'; done: number; count: number }
  | { kind: 'problem'; message: string }
  | { kind: 'report'; report: Report; source: string }

/** `/verify`: checks openings in this browser. Pasted text stays in the field, with any result. */
export function VerifyPage({ signingKey }: { signingKey: string | undefined }) {
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const latest = useRef(0)

  const check = async (source: string, readText: () => Promise<string>) => {
    const mine = ++latest.current
    const show = (next: Outcome) => {
      if (mine === latest.current) setOutcome(next)
    }
    try {
      const handed = readOpenings(await readText())
      const count = handed.openings.length
      show({ kind: 'busy', done: 0, count })
      const report = await verifyMany(handed, signingKey, (done) => {
        show({ kind: 'busy', done, count })
      })
      show({ kind: 'report', report, source })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const message = error instanceof UnreadableError ? reason : `It could not be checked: ${reason}`
      show({ kind: 'problem', message })
    }
  }
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    void check('the text', () => Promise.resolve(text))
  }
  const choose = (event: TargetedEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0]
    if (file === undefined) return
    void check(file.name, () => readFile(file))
    // Browsers are silent when the same file is chosen a second time, which may have another content by then.
    event.currentTarget.value = ''
  }
  const problem = outcome?.kind === 'problem' ? outcome.message : undefined
  return (
    <main>
      <h1>Check an opening</h1>
      <p>
        When you open a box, chance decides what you win. This page shows that nobody else did: the service
        fixes a secret and publishes its fingerprint before you play, your prize follows from the secret, and
        later the secret is revealed. Then anybody can do the sum again. Your browser does it here.
      </p>
      <p class="soft">
        What you hand in does not leave this device: once this page is there it asks nobody for anything, and
        it works without a network.
      </p>
      <form onSubmit={submit}>
        <label for="record">The record of your opening, as the casino gives it out</label>
        <textarea
          id="record"
          rows={8}
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={problem === undefined ? undefined : 'true'}
          aria-describedby="problem"
          placeholder={'{"scheme":"hmac-sha256-v1","id":"opn_…", …}'}
          onInput={(event) => {
            setText(event.currentTarget.value)
          }}
        />
        <p id="problem" class="problem" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            Check
          </button>
          <label class="file">
            or a file with one or many
            <input type="file" accept=".json,.jsonl,.txt,application/json" onChange={choose} />
          </label>
        </div>
      </form>
      <div aria-live="polite">
        {outcome?.kind === 'busy' && (
          <p>
            Checked {outcome.done} of {outcome.count}…
          </p>
        )}
        {outcome?.kind === 'report' && <ReportView report={outcome.report} source={outcome.source} />}
      </div>
      <Explanation />
    </main>
  )
}

async function readFile(file: File): Promise<string> {
  if (file.size > fileBytesMax)
    throw new UnreadableError('This file has more than 64 MB. Hand in a part of it.')
  return file.text()
}

const order: readonly Result[] = ['right', 'wrong', 'later', 'unable']
const pageSize = 100

function ReportView({ report: { proofs, conflicts }, source }: { report: Report; source: string }) {
  const [shown, setShown] = useState(pageSize)
  const counts = order
    .map((result) => ({ result, count: proofs.filter((proof) => proof.result === result).length }))
    .filter(({ count }) => count > 0)
  const [only] = proofs
  return (
    <section aria-labelledby="verdict" class="report">
      <h2 id="verdict">
        {proofs.length === 1 ? 'The verdict' : `${proofs.length} openings in `}
        {proofs.length > 1 && <bdi>{source}</bdi>}
      </h2>
      {proofs.length > 1 && (
        <ul class="counts">
          {counts.map(({ result, count }) => (
            <li key={result} class={result}>
              <strong>{count}</strong> {headlines[result].toLowerCase()}
            </li>
          ))}
        </ul>
      )}
      {conflicts.length > 0 && (
        <div class="conflicts">
          <p>
            <strong>The openings contradict each other, or some are missing:</strong>
          </p>
          <ul>
            {conflicts.slice(0, pageSize).map((words) => (
              <li key={words}>
                <bdi>{words}</bdi>
              </li>
            ))}
          </ul>
          {conflicts.length > pageSize && <p>and {conflicts.length - pageSize} more</p>}
        </div>
      )}
      {proofs.length === 1 && only !== undefined ? (
        <>
          <Facts proof={only} />
          <ProofView proof={only} />
        </>
      ) : (
        proofs.slice(0, shown).map((proof, index) => <Folded key={index} proof={proof} />)
      )}
      {proofs.length > shown && (
        <button
          type="button"
          onClick={() => {
            setShown(shown + pageSize)
          }}
        >
          Show {Math.min(pageSize, proofs.length - shown)} more
        </button>
      )}
    </section>
  )
}

/** Drawn only when it is unfolded: there may be thousands. */
function Folded({ proof }: { proof: Proof }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class={`folded ${proof.result}`}
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        <strong>{headlines[proof.result]}</strong>:{' '}
        <bdi>{readText(proof.row, 'item_id') ?? 'an opening'}</bdi>{' '}
        <code>
          <bdi>{readText(proof.row, 'id') ?? 'without an id'}</bdi>
        </code>
      </summary>
      {isOpen && (
        <>
          <Facts proof={proof} />
          <ProofView proof={proof} />
        </>
      )}
    </details>
  )
}

function Facts({ proof: { row } }: { proof: Proof }) {
  const openedAt = new Date(readText(row, 'opened_at') ?? '')
  const facts: [string, ComponentChildren][] = [
    ['Won', readText(row, 'item_id')],
    ['Box', readText(row, 'box_id')],
    ['Player', readText(row, 'player_id')],
    [
      'Opened',
      Number.isNaN(openedAt.getTime()) ? undefined : (
        <time key="opened" dateTime={openedAt.toISOString()} title={openedAt.toISOString()}>
          {openedAt.toLocaleString()}
        </time>
      ),
    ],
    ['Opening', readText(row, 'id')],
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}
