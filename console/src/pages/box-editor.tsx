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
import { ObjectPage } from '../ui/object-page.tsx'
import { Page, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Empty } from '../ui/states.tsx'
import { useQuery } from '../use-query.ts'

/** Making a box. */
export function NewBox() {
  const { casinoId = '' } = useRoute().params
  return (
    <Page title="Create a box" trail={[{ href: casinoPath(casinoId, '/boxes'), label: 'Boxes' }]}>
      <Editor key={casinoId} casinoId={casinoId} box={undefined} />
    </Page>
  )
}

/** Publishing a new version of a box. */
export function BoxEditor() {
  const { casinoId = '', boxId = '' } = useRoute().params
  const query = useQuery(`edited box ${casinoId} ${boxId}`, (signal) => readBox(casinoId, boxId, signal))
  return (
    <ObjectPage
      query={query}
      what="the box"
      untitled={`Edit box ${boxId}`}
      titleOf={({ name }) => `Edit ${name}`}
      trail={[
        { href: casinoPath(casinoId, '/boxes'), label: 'Boxes' },
        { href: boxPage(casinoId, boxId), label: query.value?.name ?? boxId },
      ]}
    >
      {(box) => <Editor key={`${casinoId} ${boxId}`} casinoId={casinoId} box={box} />}
    </ObjectPage>
  )
}

function Editor({ casinoId, box }: { casinoId: string; box: Schemas['Box'] | undefined }) {
  const { may } = useSession()
  const [checked, setChecked] = useState<Checked>()
  const [published, setPublished] = useState<Schemas['PublishedBox']>()
  if (!may('admin')) return <Empty>Only admins can publish boxes.</Empty>
  if (published !== undefined) return <Published casinoId={casinoId} box={published} />
  return (
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
