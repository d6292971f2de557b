import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { DraftForm, readBox } from '../boxes/draft-form.tsx'
import type { Checked } from '../boxes/draft-form.tsx'
import { DraftReport } from '../boxes/draft-report.tsx'
import { DraftSimulation } from '../boxes/draft-simulation.tsx'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Page, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { useQuery } from '../use-query.ts'

/** Making a box. */
export function NewBox() {
  const { casinoId = '' } = useRoute().params
  return <Editor key={casinoId} casinoId={casinoId} box={undefined} />
}

/** Publishing a new version of a box. */
export function BoxEditor() {
  const { casinoId = '', boxId = '' } = useRoute().params
  const { value, error, reload } = useQuery(`edited box ${casinoId} ${boxId}`, (signal) =>
    readBox(casinoId, boxId, signal),
  )
  if (value === undefined)
    return error === undefined ? <Loading what="the box" /> : <Failure error={error} retry={reload} />
  return <Editor key={`${casinoId} ${boxId}`} casinoId={casinoId} box={value} />
}

function Editor({ casinoId, box }: { casinoId: string; box: Schemas['Box'] | undefined }) {
  const { may } = useSession()
  const [checked, setChecked] = useState<Checked>()
  const [published, setPublished] = useState<Schemas['PublishedBox']>()
  const title = box === undefined ? 'Create a box' : `Edit ${box.name}`
  const trail = [{ href: casinoPath(casinoId, '/boxes'), label: 'Boxes' }]
  if (box !== undefined) trail.push({ href: boxPage(casinoId, box.box_id), label: box.name })
  return (
    <Page title={title} trail={trail}>
      {!may('admin') ? (
        <Empty>Only admins can publish boxes.</Empty>
      ) : published !== undefined ? (
        <Published casinoId={casinoId} box={published} />
      ) : (
        <>
          <DraftForm casinoId={casinoId} box={box} onChecked={setChecked} />
          {checked !== undefined && (
            <CheckedDraft
              casinoId={casinoId}
              checked={checked}
              baseVersion={box?.version}
              onPublished={setPublished}
            />
          )}
        </>
      )}
    </Page>
  )
}

const boxPage = (casinoId: string, boxId: string) =>
  casinoPath(casinoId, `/boxes/${encodeURIComponent(boxId)}`)

function CheckedDraft({
  casinoId,
  checked: { boxId, draft, current, report },
  baseVersion,
  onPublished,
}: {
  casinoId: string
  checked: Checked
  baseVersion: number | undefined
  onPublished: (box: Schemas['PublishedBox']) => void
}) {
  const [isAsking, setAsking] = useState(false)
  const path = { casino_id: casinoId, box_id: boxId }
  return (
    <>
      {current !== undefined && current.version !== baseVersion && (
        <div class="failure" role="alert">
          Somebody has published version {current.version} since you began. Publishing replaces it: see below
          what changes against it.
        </div>
      )}
      <DraftReport draft={draft} current={current} report={report} />
      <DraftSimulation path={path} draft={draft} />
      <p>
        <button
          type="button"
          class="primary"
          onClick={() => {
            setAsking(true)
          }}
        >
          Publish…
        </button>
      </p>
      {isAsking && (
        <ReasonDialog
          title="Publish the box"
          button="Publish"
          text={
            current === undefined
              ? 'The box is made, and is on. Its id never changes.'
              : `Version ${String(current.version)} is replaced for all openings from now on. What is left of its stocks carries over.`
          }
          onClose={() => {
            setAsking(false)
          }}
          onSubmit={async (header) => {
            const params = { path, header }
            const answer = await answered(
              api.PUT('/admin/casinos/{casino_id}/boxes/{box_id}', { params, body: draft }),
            )
            onPublished(answer.data)
          }}
        />
      )}
    </>
  )
}

function Published({ casinoId, box }: { casinoId: string; box: Schemas['PublishedBox'] }) {
  return (
    <Section title={box.unchanged ? 'Nothing was published' : `Version ${String(box.version)} is published`}>
      <div role="status">
        {box.unchanged && <p>The current version is the same already.</p>}
        {box.warnings.length > 0 && (
          <ul class="warnings">
            {box.warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
        )}
        <p>
          <a href={boxPage(casinoId, box.box_id)}>Go to the box</a>
        </p>
      </div>
    </Section>
  )
}
