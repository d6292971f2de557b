import { useLocation } from 'preact-iso'
import { casinoIdIn, casinoPath, pathTo } from '../place.ts'
import { useSession } from '../session.tsx'
import { useCasino } from '../use-casinos.ts'
import { Failure } from './states.tsx'

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

/** The way to all pages, those of one casino among them. */
export function Menu({ path }: { path: string }) {
  const { me, known, may, isOfAllCasinos } = useSession()
  const casinoId = casinoIdIn(path) ?? me.operator.casino_ids?.[0] ?? known.casinos[0]?.casino_id
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

/**
 * Changing the casino keeps the kind of page, but not its object or filters. Casinos beyond the first ones are loaded
 * when the person turns to the list.
 */
function CasinoChoice({ path, casinoId }: { path: string; casinoId: string | undefined }) {
  const { known } = useSession()
  const { route } = useLocation()
  const current = useCasino(known, casinoId ?? '')
  const { casinos, isPartial, error, loadRest, reload } = known
  if (error !== undefined) return <Failure error={error} retry={reload} />
  if (casinoId === undefined) {
    return isPartial ? null : <p class="soft">There are no casinos yet.</p>
  }
  const page =
    path === casinoPath(casinoId)
      ? ''
      : casinoPages.find((candidate) => path.startsWith(casinoPath(casinoId, candidate.page)))?.page
  return (
    <label class="casino">
      Casino
      <select
        onFocus={loadRest}
        onPointerEnter={loadRest}
        onChange={(event) => {
          route(casinoPath(event.currentTarget.value, page ?? '/orders'))
        }}
        onClick={(event) => {
          event.stopPropagation()
        }}
      >
        {!casinos.some(({ casino_id: id }) => id === casinoId) && (
          <option selected value={casinoId}>
            {current?.name ?? casinoId}
          </option>
        )}
        {casinos.map(({ casino_id: id, name }) => (
          <option key={id} value={id} selected={id === casinoId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
