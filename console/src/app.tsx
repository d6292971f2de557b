import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { Account } from './pages/account.tsx'
import { ActPage } from './pages/act.tsx'
import { Acts } from './pages/acts.tsx'
import { BoxEditor, NewBox } from './pages/box-editor.tsx'
import { BoxPage } from './pages/box.tsx'
import { Boxes } from './pages/boxes.tsx'
import { CasinoAudit, ServiceAudit } from './pages/audit.tsx'
import { CasinoPage } from './pages/casino.tsx'
import { Casinos } from './pages/casinos.tsx'
import { CashbackPage } from './pages/cashback.tsx'
import { Cashbacks } from './pages/cashbacks.tsx'
import { GrantsFile } from './pages/grants-file.tsx'
import { Grants } from './pages/grants.tsx'
import { Home } from './pages/home.tsx'
import { ItemPage } from './pages/item.tsx'
import { Items } from './pages/items.tsx'
import { Keys } from './pages/keys.tsx'
import { NotFound } from './pages/not-found.tsx'
import { OperatorPage } from './pages/operator.tsx'
import { Operators } from './pages/operators.tsx'
import { OrderPage } from './pages/order.tsx'
import { Orders } from './pages/orders.tsx'
import { Partners } from './pages/partners.tsx'
import { PlayerPage } from './pages/player.tsx'
import { PrizePage } from './pages/prize.tsx'
import { Search } from './pages/search.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { Webhooks } from './pages/webhooks.tsx'
import { casinoPath, pathTo } from './place.ts'
import { lacksSecondFactor, SessionProvider, useSession } from './session.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { SearchBox } from './ui/search-box.tsx'

export function App() {
  return (
    <LocationProvider scope={pathTo('')}>
      <SessionProvider>
        <Layout />
      </SessionProvider>
    </LocationProvider>
  )
}

function Layout() {
  const { path } = useLocation()
  const { me } = useSession()
  const [isMenuOpen, setMenuOpen] = useState(false)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="bar">
        <button
          type="button"
          class="quiet menu"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => {
            setMenuOpen(!isMenuOpen)
          }}
        >
          Menu
        </button>
        <a class="brand" href={pathTo('/')}>
          Casino rewards
        </a>
        <SearchBox />
        <SignedInPerson />
      </header>
      <nav
        id="menu"
        class={isMenuOpen ? 'open' : ''}
        aria-label="Main"
        onClick={() => {
          setMenuOpen(false)
        }}
      >
        <Menu path={path} />
      </nav>
      <main id="main">
        <ErrorBoundary path={path}>
          {lacksSecondFactor(me) ? (
            <Account />
          ) : (
            // Nothing of one casino stays when another one is chosen.
            <Router key={casinoIdIn(path) ?? ''}>
              <Route path={pathTo('/')} component={Home} />
              <Route path={pathTo('')} component={Home} />
              <Route path={pathTo('/search')} component={Search} />
              <Route path={pathTo('/casinos')} component={Casinos} />
              <Route path={pathTo('/casinos/:casinoId')} component={CasinoPage} />
              <Route path={pathTo('/casinos/:casinoId/orders')} component={Orders} />
              <Route path={pathTo('/casinos/:casinoId/orders/:orderId')} component={OrderPage} />
              <Route path={pathTo('/casinos/:casinoId/cashbacks')} component={Cashbacks} />
              <Route path={pathTo('/casinos/:casinoId/cashbacks/:cashbackId')} component={CashbackPage} />
              <Route path={pathTo('/casinos/:casinoId/prizes/:prizeId')} component={PrizePage} />
              <Route path={pathTo('/casinos/:casinoId/players/:playerId')} component={PlayerPage} />
              <Route path={pathTo('/casinos/:casinoId/acts')} component={Acts} />
              <Route path={pathTo('/casinos/:casinoId/acts/:actId')} component={ActPage} />
              <Route path={pathTo('/casinos/:casinoId/webhooks')} component={Webhooks} />
              <Route path={pathTo('/casinos/:casinoId/webhooks/:endpointId')} component={WebhookPage} />
              <Route path={pathTo('/casinos/:casinoId/partners')} component={Partners} />
              <Route path={pathTo('/casinos/:casinoId/boxes')} component={Boxes} />
              <Route path={pathTo('/casinos/:casinoId/boxes/:boxId')} component={BoxPage} />
              <Route path={pathTo('/casinos/:casinoId/boxes/:boxId/edit')} component={BoxEditor} />
              <Route path={pathTo('/casinos/:casinoId/new-box')} component={NewBox} />
              <Route path={pathTo('/casinos/:casinoId/items')} component={Items} />
              <Route path={pathTo('/casinos/:casinoId/items/:itemId')} component={ItemPage} />
              <Route path={pathTo('/casinos/:casinoId/grants')} component={Grants} />
              <Route path={pathTo('/casinos/:casinoId/grants/file')} component={GrantsFile} />
              <Route path={pathTo('/casinos/:casinoId/keys')} component={Keys} />
              <Route path={pathTo('/casinos/:casinoId/audit')} component={CasinoAudit} />
              <Route path={pathTo('/operators')} component={Operators} />
              <Route path={pathTo('/operators/:operatorId')} component={OperatorPage} />
              <Route path={pathTo('/audit')} component={ServiceAudit} />
              <Route path={pathTo('/account')} component={Account} />
              <Route default component={NotFound} />
            </Router>
          )}
        </ErrorBoundary>
      </main>
    </>
  )
}

/** The pages of a casino, in the order of the menu. */
const casinoPages = [
  { page: '/orders', label: 'Orders' },
  { page: '/cashbacks', label: 'Cashbacks' },
  { page: '/acts', label: 'Bulk actions' },
  { page: '/boxes', label: 'Boxes' },
  { page: '/items', label: 'Items' },
  { page: '/grants', label: 'Grants' },
  { page: '/webhooks', label: 'Webhooks' },
  { page: '/partners', label: 'Partners' },
  { page: '/keys', label: 'API keys' },
  { page: '/audit', label: 'Audit trail' },
] as const

function Menu({ path }: { path: string }) {
  const { casinos, may, isOfAllCasinos } = useSession()
  const casinoId = casinoIdIn(path) ?? casinos[0]?.casino_id
  return (
    <>
      <MenuLink href={pathTo('/')} label="Work list" path={path} />
      <CasinoChoice path={path} casinoId={casinoId} />
      {casinoId !== undefined &&
        casinoPages.map(({ page, label }) => (
          <MenuLink key={page} href={casinoPath(casinoId, page)} label={label} path={path} />
        ))}
      {casinoId !== undefined && <MenuLink href={casinoPath(casinoId)} label="Settings" path={path} isLeaf />}
      <h2>Service</h2>
      <MenuLink href={pathTo('/casinos')} label="Casinos" path={path} isLeaf />
      {isOfAllCasinos && may('admin') && (
        <>
          <MenuLink href={pathTo('/operators')} label="Operators" path={path} />
          <MenuLink href={pathTo('/audit')} label="Audit trail of the service" path={path} />
        </>
      )}
      {isOfAllCasinos && (
        <a href={pathTo('/queues')} target="_self">
          Queues
        </a>
      )}
    </>
  )
}

function MenuLink({
  href,
  label,
  path,
  isLeaf = href === pathTo('/'),
}: {
  href: string
  label: string
  path: string
  /** The pages below it are other pages of the menu. */
  isLeaf?: boolean
}) {
  const isHere = path === href || (!isLeaf && path.startsWith(`${href}/`))
  return (
    <a href={href} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {label}
    </a>
  )
}

/** Changing the casino keeps the kind of page, but not its object or filters. */
function CasinoChoice({ path, casinoId }: { path: string; casinoId: string | undefined }) {
  const { casinos } = useSession()
  const { route } = useLocation()
  if (casinoId === undefined) return <p class="soft">There are no casinos yet.</p>
  const page =
    path === casinoPath(casinoId)
      ? ''
      : casinoPages.find((candidate) => path.startsWith(casinoPath(casinoId, candidate.page)))?.page
  return (
    <label class="casino">
      Casino
      <select
        onChange={(event) => {
          route(casinoPath(event.currentTarget.value, page ?? '/orders'))
        }}
        onClick={(event) => {
          event.stopPropagation()
        }}
      >
        {!casinos.some(({ casino_id: id }) => id === casinoId) && <option selected>{casinoId}</option>}
        {casinos.map(({ casino_id: id, name }) => (
          <option key={id} value={id} selected={id === casinoId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The casino that a path of the console is about. */
function casinoIdIn(path: string): string | undefined {
  const rest = path.startsWith(pathTo('/casinos/')) ? path.slice(pathTo('/casinos/').length) : ''
  const [id = ''] = rest.split('/')
  if (id === '') return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}

function SignedInPerson() {
  const { me } = useSession()
  return (
    <form class="account" method="post" action={pathTo('/logout')}>
      <a href={pathTo('/account')} title={`${me.operator.username}, ${me.operator.role}`}>
        <bdi>{me.operator.name}</bdi> <span class="soft">{me.operator.role}</span>
      </a>
      <button type="submit" class="quiet">
        Sign out
      </button>
    </form>
  )
}
