import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { useSession } from '../session.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { Given, State, Time, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Setting = Schemas['Setting']

const pollMs = 10_000

/** The settings that name systems of the casino which the service calls. */
const partners = ['wallet', 'fulfilment'] as const

/** The wallet and the fulfilment provider of a casino: where they are, whether they are paused and why, and resuming. */
export function Partners() {
  const { params } = useRoute()
  const casinoId = params['casinoId'] ?? ''
  const { value, error, reload } = useQuery(
    `settings ${casinoId}`,
    async (signal) => {
      const path = { casino_id: casinoId }
      return (await answered(api.GET('/admin/casinos/{casino_id}/settings', { params: { path }, signal })))
        .data
    },
    { pollMs },
  )
  return (
    <Page title="Partners">
      {error !== undefined && <Failure error={error} retry={reload} />}
      {value === undefined
        ? error === undefined && <Loading what="the partners" />
        : partners.map((name) => {
            const setting = value.find((candidate) => candidate.name === name)
            return (
              setting !== undefined && (
                <Partner key={name} casinoId={casinoId} setting={setting} onDone={reload} />
              )
            )
          })}
    </Page>
  )
}

const titles: Readonly<Record<string, string>> = { wallet: 'Wallet', fulfilment: 'Fulfilment provider' }

function Partner({ casinoId, setting, onDone }: { casinoId: string; setting: Setting; onDone: () => void }) {
  const { may } = useSession()
  const [chosen, setChosen] = useState<'test' | 'resume'>()
  /** The revision when the dialog was opened. */
  const [seen, setSeen] = useState(setting.revision)
  const [told, setTold] = useState<string>()
  const title = titles[setting.name] ?? setting.name
  const { kind, url } = setting.value as { kind?: string; url?: string }
  const path = { casino_id: casinoId, name: setting.name }
  const isCalled = url !== undefined
  const actions = [
    ...(isCalled ? (['test'] as const) : []),
    ...(setting.paused_at === null ? [] : (['resume'] as const)),
  ]
  const facts = [
    ['Kind', kind === undefined ? null : wordsOf(kind)],
    ['URL', isCalled ? <Given key="url" text={url} /> : null],
    ['Secret', isCalled ? (setting.secret_set ? 'set' : 'not set') : null],
    ['Paused', setting.paused_at === null ? null : <Time key="paused" at={setting.paused_at} />],
    ['Because', setting.paused_reason === null ? null : wordsOf(setting.paused_reason)],
    ['Changed', setting.updated_at === null ? null : <Time key="changed" at={setting.updated_at} />],
  ] as const
  return (
    <Section
      title={title}
      aside={setting.paused_at === null ? <State state="active" /> : <State state="paused" />}
    >
      <Facts facts={facts.filter(([, fact]) => fact !== null)} />
      {setting.paused_at !== null && (
        <p>Nothing is sent while it is paused. Correct its address or secret, test it, then resume.</p>
      )}
      {may('support') && (
        <div class="actions">
          {actions.map((action) => (
            <button
              key={action}
              type="button"
              class={action === 'resume' ? 'primary' : ''}
              onClick={() => {
                setSeen(setting.revision)
                setChosen(action)
              }}
            >
              {action === 'resume' ? 'Resume' : 'Test'} <span class="unseen">{title}</span>
            </button>
          ))}
        </div>
      )}
      <p role="status">{told}</p>
      {chosen !== undefined && (
        <ReasonDialog
          title={chosen === 'resume' ? `Resume: ${title}` : `Test: ${title}`}
          button={chosen === 'resume' ? 'Resume' : 'Test'}
          text={
            chosen === 'resume'
              ? 'Work that waited for it continues.'
              : 'The partner is called once. Nothing is credited or sent.'
          }
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (header) => {
            if (chosen === 'resume') {
              await answered(
                api.POST('/admin/casinos/{casino_id}/settings/{name}/resume', {
                  params: { path, header },
                  body: { expected_revision: seen },
                }),
              )
              setTold('It is resumed.')
            } else {
              const test = await answered(
                api.POST('/admin/casinos/{casino_id}/settings/{name}/test', { params: { path, header } }),
              )
              setTold(test.data.detail)
            }
            onDone()
          }}
        />
      )}
    </Section>
  )
}
