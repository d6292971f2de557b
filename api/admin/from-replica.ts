import type { ApiDeps } from '../deps.ts'
import type { EndpointReply } from '../endpoint.ts'

/**
 * Makes an endpoint that reads from the replica where there is one. Only for a GET that nothing is decided by in the same
 * request: its caller and its casino are still looked up in the primary.
 */
export function fromReplica<Request>(
  deps: ApiDeps,
  create: (deps: ApiDeps) => (request: Request) => Promise<EndpointReply>,
): (request: Request) => Promise<EndpointReply> {
  const onPrimary = create(deps)
  const { replica } = deps
  if (replica === undefined) return onPrimary
  const onReplica = create({ ...deps, database: replica.database })
  return (request) =>
    replica.read(
      () => onReplica(request),
      () => onPrimary(request),
    )
}
