import { LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { Account } from './pages/account.tsx'
import { ActPage } from './pages/act.tsx'
import { Acts } from './pages/acts.tsx'
import { BoxEditor, NewBox } from './pages/box-editor.tsx'
import { BoxPage } from './pages/box.tsx'
import { Boxes } from './pages/boxes.tsx'
import { AuditEntryPage, ServiceAuditEntryPage } from './pages/audit-entry.tsx'
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
import { SeedPage } from './pages/seed.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { Webhooks } from './pages/webhooks.tsx'
import { casinoIdIn, pathTo } from './place.ts'
import { lacksSecondFactor, SessionProvider, useSession } from './session.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Menu } from './ui/menu.tsx'
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
              <Route path={pathTo('/casinos/:casinoId/audit/:entryId')} component={AuditEntryPage} />
              <Route path={pathTo('/casinos/:casinoId/seeds/:seedId')} component={SeedPage} />
              <Route path={pathTo('/operators')} component={Operators} />
              <Route path={pathTo('/operators/:operatorId')} component={OperatorPage} />
              <Route path={pathTo('/audit')} component={ServiceAudit} />
              <Route path={pathTo('/audit/:serviceEntryId')} component={ServiceAuditEntryPage} />
              <Route path={pathTo('/account')} component={Account} />
              <Route default component={NotFound} />
            </Router>
          )}
        </ErrorBoundary>
      </main>
    </>
  )
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
