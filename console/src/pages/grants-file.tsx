import { useRoute } from 'preact-iso'
import { useId, useState } from 'preact/hooks'
import type { CheckedFile } from '../grants/check-grants.ts'
import { readGrantFile } from '../grants/read-file.ts'
import { Remarks } from '../grants/remarks.tsx'
import { SendForm } from '../grants/send-form.tsx'
import { casinoPath } from '../place.ts'
import { Facts, Page, Section } from '../ui/page.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { Given } from '../ui/values.tsx'

type Chosen =
  | { file: File; state: 'reading' }
  | { file: File; state: 'failed'; error: unknown }
  | { file: File; state: 'checked'; checked: CheckedFile; round: number }

const example = `player_id,box_id,count,expires_at
player-1,daily,1,2030-01-31
player-2,daily,3,`

/** Grants from a CSV file: nothing is sent before every line is right. */
export function GrantsFile() {
  const { casinoId = '' } = useRoute().params
  const [chosen, setChosen] = useState<Chosen>()
  const [round, setRound] = useState(0)
  const inputId = useId()
  const choose = (file: File) => {
    setChosen({ file, state: 'reading' })
    setRound(round + 1)
    readGrantFile(casinoId, file).then(
      (checked) => {
        setChosen({ file, state: 'checked', checked, round })
      },
      (error: unknown) => {
        setChosen({ file, state: 'failed', error })
      },
    )
  }
  return (
    <Page title="Grants from a file" trail={[{ href: casinoPath(casinoId, '/grants'), label: 'Grants' }]}>
      <Section title="Choose the file">
        <p>
          A CSV file in UTF-8 with a line of names: <code>player_id</code>, <code>box_id</code> and{' '}
          <code>count</code>, and if you like <code>grant_id</code> and <code>expires_at</code>. Commas,
          semicolons or tabs separate them.
        </p>
        <pre class="example">{example}</pre>
        <p class="field">
          <label for={inputId}>CSV file</label>
          <input
            id={inputId}
            type="file"
            accept=".csv,.txt,text/csv"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              if (file !== undefined) choose(file)
              // The same file can be chosen again after it was corrected.
              event.currentTarget.value = ''
            }}
          />
        </p>
        {chosen !== undefined && (
          <p>
            <Given text={chosen.file.name} />
          </p>
        )}
      </Section>
      {chosen?.state === 'reading' && <Loading what="and checking the file" />}
      {chosen?.state === 'failed' && <FileFailure error={chosen.error} />}
      {chosen?.state === 'checked' && (
        <DryRun key={chosen.round} casinoId={casinoId} fileName={chosen.file.name} checked={chosen.checked} />
      )}
    </Page>
  )
}

/** Problems of the file itself have messages for people. */
function FileFailure({ error }: { error: unknown }) {
  if (!(error instanceof Error) || error.constructor !== Error) return <Failure error={error} />
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
    </div>
  )
}

function DryRun({
  casinoId,
  fileName,
  checked: { grants, bad, odd },
}: {
  casinoId: string
  fileName: string
  checked: CheckedFile
}) {
  const players = new Set(grants.map(({ player_id: id }) => id)).size
  const openings = grants.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <Section title="Dry run">
        <p role="status">
          {bad.length === 0
            ? 'Every line is right. Nothing was sent yet.'
            : `${bad.length.toLocaleString()} ${bad.length === 1 ? 'problem' : 'problems'}: nothing can be sent. Correct the file and choose it again.`}
        </p>
        <Facts
          facts={[
            ['Right lines', grants.length.toLocaleString()],
            ['Players', players.toLocaleString()],
            ['Openings', openings.toLocaleString()],
          ]}
        />
        {grants.length > 0 && <ByBox grants={grants} />}
      </Section>
      {bad.length > 0 && (
        <Section title="Bad lines">
          <Remarks caption="Bad lines" remarks={bad} />
        </Section>
      )}
      {odd.length > 0 && (
        <Section title="Lines to look at">
          <p class="soft">They can be granted, but may be mistakes.</p>
          <Remarks caption="Lines to look at" remarks={odd} />
        </Section>
      )}
      {bad.length === 0 && <SendForm casinoId={casinoId} fileName={fileName} planned={grants} />}
    </>
  )
}

/** Boxes of which a file has most; beyond so many, a table does not help. */
const boxesMax = 50

function ByBox({ grants }: { grants: CheckedFile['grants'] }) {
  const byBox = new Map<string, { boxId: string; lines: number; openings: number }>()
  for (const { box_id: boxId, count } of grants) {
    const { lines, openings } = byBox.get(boxId) ?? { lines: 0, openings: 0 }
    byBox.set(boxId, { boxId, lines: lines + 1, openings: openings + count })
  }
  const rows = [...byBox.values()].sort((a, b) => b.lines - a.lines)
  return (
    <>
      <Table
        caption="By box"
        columns={[
          { name: 'Box', render: ({ boxId }) => <Given text={boxId} /> },
          { name: 'Grants', render: ({ lines }) => <span class="number">{lines.toLocaleString()}</span> },
          {
            name: 'Openings',
            render: ({ openings }) => <span class="number">{openings.toLocaleString()}</span>,
          },
        ]}
        rows={rows.slice(0, boxesMax)}
        keyOf={({ boxId }) => boxId}
      />
      {rows.length > boxesMax && <p class="soft">And {rows.length - boxesMax} more boxes.</p>}
    </>
  )
}
