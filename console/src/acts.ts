import { answered, api } from './api.ts'
import type { Schemas } from './api.ts'

/** Makes a repetition have one effect. */
interface Intention {
  'Idempotency-Key': string
}

/** Previews an action on objects: freezes the selection, and changes nothing. */
export async function makeAct(
  casinoId: string,
  body: {
    action: string
    params: Record<string, string | boolean>
    object_ids?: string[]
    expected_revisions?: number[]
    event_range?: Schemas['MakeActRequest']['event_range']
  },
  header: Intention,
): Promise<Schemas['MadeAct']> {
  const params = { path: { casino_id: casinoId }, header }
  // Which action takes which parameters is checked by the service.
  const act = body as Schemas['MakeActRequest']
  return (await answered(api.POST('/admin/casinos/{casino_id}/acts', { params, body: act }))).data
}

export type ActMove = 'start' | 'approve' | 'decline' | 'stop'

/** Starts, approves, declines or stops an act. */
export async function moveAct(
  casinoId: string,
  actId: string,
  move: ActMove,
  reason: string,
  header: Intention,
): Promise<Schemas['Act']> {
  const params = { path: { casino_id: casinoId, act_id: actId }, header }
  const path = `/admin/casinos/{casino_id}/acts/{act_id}/${move}` as const
  return (await answered(api.POST(path, { params, body: { reason } }))).data
}
