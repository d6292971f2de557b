import { createContext } from 'preact'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { answered, api, onSignedOut } from './api.ts'
import type { Schemas } from './api.ts'
import { pathTo } from './place.ts'
import { Page } from './ui/page.tsx'
import { Failure, Loading } from './ui/states.tsx'
import { useModal } from './ui/use-modal.ts'
import { useCasinos } from './use-casinos.ts'
import type { KnownCasinos } from './use-casinos.ts'
import { useQuery } from './use-query.ts'

export type Right = 'view' | 'support' | 'finance' | 'admin'

/** The signed-in operator, and the casinos that the person works for. */
export interface Session {
  me: Schemas['OwnSession']
  known: KnownCasinos
  /** Whether the person's role has the right. The service decides; pages only hide what it would refuse. */
  may: (right: Right) => boolean
  /** Whether the person works for all casinos: requests about the service itself are refused for all others. */
  isOfAllCasinos: boolean
  reload: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('there is no session around this component')
  return session
}

/** Loads the signed-in operator before anything else is shown. */
export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [isSignedOut, setSignedOut] = useState(false)
  useEffect(() => {
    onSignedOut(() => {
      setSignedOut(true)
    })
  }, [])
  const {
    value: me,
    error,
    reload: reloadSession,
  } = useQuery('session', async (signal) => {
    return (await answered(api.GET('/admin/session', { signal }))).data
  })
  const known = useCasinos(me !== undefined && !lacksSecondFactor(me))
  const reload = () => {
    reloadSession()
    known.reload()
  }
  const comeBack = () => {
    setSignedOut(false)
    reload()
  }
  if (me === undefined) {
    const title = isSignedOut
      ? 'Signed out'
      : error === undefined
        ? 'Opening the console'
        : 'The console cannot be opened'
    return (
      <main id="main">
        <Page title={title}>
          {isSignedOut ? (
            <SignedOut onBack={comeBack} />
          ) : error === undefined ? (
            <Loading what="who you are" />
          ) : (
            <Failure error={error} retry={reload} />
          )}
        </Page>
      </main>
    )
  }
  const session: Session = {
    me,
    known,
    may: (right) => me.rights.includes(right),
    isOfAllCasinos: me.operator.casino_ids === null,
    reload,
  }
  return (
    <SessionContext.Provider value={session}>
      {children}
      {isSignedOut && <SignedOut onBack={comeBack} />}
    </SessionContext.Provider>
  )
}

/** Then nothing else is allowed before it is set up. */
export function lacksSecondFactor({ operator }: Schemas['OwnSession']): boolean {
  return operator.second_factor_required && !operator.second_factor_set
}

/**
 * Lies over the page and its dialogs, which keep the typed values: after signing in elsewhere, work continues where it
 * was.
 */
function SignedOut({ onBack }: { onBack: () => void }) {
  const dialog = useModal()
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby="signed-out"
      onCancel={(event) => {
        event.preventDefault()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close a dialog at the second Escape in any case.
        if (currentTarget.isConnected) currentTarget.showModal()
      }}
    >
      <h2 id="signed-out">You are signed out</h2>
      <p>Your session has ended. What you typed on this page is still there.</p>
      <p class="actions">
        <a class="button primary" href={`${pathTo('/login')}?to=${here}`} target="_blank" rel="noreferrer">
          Sign in (new tab)
        </a>
        <button type="button" onClick={onBack}>
          I have signed in: continue
        </button>
      </p>
    </dialog>
  )
}
