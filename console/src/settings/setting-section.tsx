import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import { useSession } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Reason, textsOf } from '../ui/form.tsx'
import type { FormValues } from '../ui/form.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { Newer } from '../ui/newer.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { messageOf } from '../ui/states.tsx'
import { State, Time } from '../ui/values.tsx'
import { useSeen } from '../use-seen.ts'
import { partnerSettings } from './partner-settings.tsx'
import { plainSettings } from './plain-settings.tsx'
import type { Setting, SettingKind } from './setting-kind.ts'

const kinds: Readonly<Record<Setting['name'], SettingKind>> = { ...partnerSettings, ...plainSettings }

/** One setting of a casino, and changing it. */
export function SettingSection({
  casinoId,
  setting,
  onSaved,
}: {
  casinoId: string
  setting: Setting
  onSaved: () => void
}) {
  const { may, isOfAllCasinos } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [told, setTold] = useState('')
  const kind = kinds[setting.name]
  const mayChange = may('admin') && (kind.isOfService !== true || isOfAllCasinos)
  return (
    <Section
      title={kind.title}
      aside={
        <span class="row">
          {setting.paused_at !== null && <State state="paused" />}
          {mayChange && (
            <button
              type="button"
              onClick={() => {
                setOpen(true)
              }}
            >
              Change <span class="unseen">{kind.title}</span>
            </button>
          )}
        </span>
      }
    >
      <p class="soft">{kind.text}</p>
      <Facts
        facts={[
          ...kind.facts(setting),
          ['Changed', setting.updated_at === null ? 'never' : <Time key="changed" at={setting.updated_at} />],
        ]}
      />
      {secret !== undefined && (
        <ShownOnce text={`The new secret of the ${kind.title.toLowerCase()}.`} secret={secret} />
      )}
      <p role="status">{told}</p>
      {isOpen && (
        <SettingDialog
          casinoId={casinoId}
          setting={setting}
          kind={kind}
          onClose={() => {
            setOpen(false)
          }}
          onSaved={(newSecret) => {
            setOpen(false)
            setSecret(newSecret)
            setTold('It is saved.')
            onSaved()
          }}
        />
      )}
    </Section>
  )
}

function SettingDialog({
  casinoId,
  setting,
  kind,
  onClose,
  onSaved,
}: {
  casinoId: string
  setting: Setting
  kind: SettingKind
  onClose: () => void
  onSaved: (secret: string | undefined) => void
}) {
  const path = { casino_id: casinoId, name: setting.name }
  const { newer, unlessChanged } = useSeen(setting)
  const save = async (values: FormValues) => {
    const body = kind.bodyOf(values, setting)
    const header = { 'X-Reason': encodeURIComponent(values['reason'] ?? '') }
    const root = '/admin/casinos/{casino_id}/settings/{name}' as const
    const saved = await unlessChanged(
      (expected_revision) =>
        answered(api.PUT(root, { params: { path, header }, body: { ...body, expected_revision } })),
      async () => (await answered(api.GET(root, { params: { path } }))).data,
    )
    onSaved(saved.data.secret)
  }
  const test = async (values: FormValues) => {
    const body = kind.bodyOf(values, setting)
    const header = { 'X-Reason': encodeURIComponent(values['reason'] ?? '') }
    const tested = await answered(
      api.POST('/admin/casinos/{casino_id}/settings/{name}/test', { params: { path, header }, body }),
    )
    return tested.data.detail
  }
  return (
    <Dialog title={`Change: ${kind.title}`} onClose={onClose}>
      <p>{kind.text} The change takes effect within two seconds.</p>
      <Form
        button="Save"
        onSubmit={save}
        aside={
          <>
            {setting.name in partnerSettings && <Test test={test} />}
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </>
        }
      >
        {(problemOf) => (
          <>
            {newer !== undefined && (
              <Newer>
                <Facts facts={kind.facts(newer)} />
              </Newer>
            )}
            {kind.fields(setting, problemOf)}
            <Reason problem={problemOf('reason')} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** Calls the partner as it is typed, before it is saved. */
function Test({ test }: { test: (values: FormValues) => Promise<string> }) {
  const [told, setTold] = useState('')
  return (
    <>
      <button
        type="button"
        onClick={({ currentTarget: { form } }) => {
          if (form === null || !form.reportValidity()) return
          setTold('Testing…')
          test(textsOf(form)).then(setTold, (error: unknown) => {
            setTold(messageOf(error))
          })
        }}
      >
        Test without saving
      </button>
      <span role="status">{told}</span>
    </>
  )
}
