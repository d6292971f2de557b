import { useEffect, useRef, useState } from 'preact/hooks'
import { readTyped } from '../typed.ts'
import { Field, Form, Reason } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { Section } from '../ui/page.tsx'
import type { PlannedGrant } from './check-grants.ts'
import { findBatchProblem, toPages } from './grant-pages.ts'
import { awaitServiceTime, sendPage } from './send-page.ts'
import { nothingSent, sendPages } from './send-pages.ts'
import type { Progress } from './send-pages.ts'

interface Sending {
  batch: string
  startedMs: number
  pageCount: number
  progress: Progress
  state: 'running' | 'stopped' | 'failed' | 'all'
}

/** Sends the grants of a checked file. After a stop or a failure it continues where it was. */
export function SendForm({
  casinoId,
  fileName,
  planned,
}: {
  casinoId: string
  fileName: string
  planned: readonly PlannedGrant[]
}) {
  const [sending, setSending] = useState<Sending>()
  const stop = useRef(new AbortController())
  const isRunning = sending?.state === 'running'
  useEffect(
    () => () => {
      stop.current.abort()
    },
    [],
  )
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
    }
  }, [isRunning])

  const send = async (values: FormValues) => {
    const typed = readTyped(values)
    const batch = values['batch'] ?? ''
    const problem = findBatchProblem(batch)
    if (problem !== undefined) typed.refuse('batch', problem)
    typed.check()
    stop.current = new AbortController()
    const pages = toPages(planned, batch)
    const isContinued = sending !== undefined && sending.batch === batch && sending.state !== 'all'
    let current: Sending = {
      batch,
      startedMs: isContinued ? sending.startedMs : await awaitServiceTime(casinoId, waitSeconds),
      pageCount: pages.length,
      progress: isContinued ? sending.progress : nothingSent,
      state: 'running',
    }
    const show = (change: Partial<Sending>) => {
      current = { ...current, ...change }
      setSending(current)
    }
    show({})
    try {
      const state = await sendPages(pages, current.progress, {
        send: (page) =>
          sendPage(casinoId, page, { reason: values['reason'] ?? '', startedMs: current.startedMs }),
        wait: waitSeconds,
        report: (progress) => {
          show({ progress })
        },
        signal: stop.current.signal,
      })
      show({ state })
    } catch (error) {
      show({ state: 'failed' })
      throw error
    }
  }

  return (
    <Section title="Grant them">
      <Form
        button={
          sending === undefined || sending.state === 'all'
            ? `Make ${planned.length.toLocaleString()} ${planned.length === 1 ? 'grant' : 'grants'}`
            : 'Continue'
        }
        onSubmit={send}
        aside={
          isRunning && (
            <button
              type="button"
              onClick={() => {
                stop.current.abort()
              }}
            >
              Stop
            </button>
          )
        }
      >
        {(problemOf) => (
          <>
            <Field
              name="batch"
              label="Name of the batch"
              value={fileName
                .replace(/\.[^.]*$/, '')
                .trim()
                .slice(0, 100)}
              hint="Grants without a grant_id get this name and their line as id. The same name and line are granted once only, however often they are sent: for the same file again next month, choose another name."
              problem={problemOf('batch')}
              maxLength={100}
              isRequired
            />
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
      {sending !== undefined && <Progressing sending={sending} total={planned.length} />}
    </Section>
  )
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000)
  })
}

function Progressing({ sending, total }: { sending: Sending; total: number }) {
  const { progress, pageCount, state } = sending
  const done = progress.added + progress.known
  const known =
    progress.known === 0
      ? ''
      : `, and ${progress.known.toLocaleString()} were there already and are unchanged`
  return (
    <>
      <p>
        <progress aria-label="Requests that are done" value={progress.pagesDone} max={pageCount} />
      </p>
      <p role="status">
        {words[state]} {done.toLocaleString()} of {total.toLocaleString()} lines are done:{' '}
        {progress.added.toLocaleString()} {progress.added === 1 ? 'grant was' : 'grants were'} made{known}.
      </p>
    </>
  )
}

const words: Readonly<Record<Sending['state'], string>> = {
  running: 'Keep this page open.',
  stopped: 'Stopped.',
  failed: 'It could not be completed; continue when the reason is gone.',
  all: 'Complete.',
}
