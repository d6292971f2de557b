import type { JsonSchema } from '../../core/shape/json-schema.ts'
import type { Contract, ContractAnswer, ContractOperation } from './contract.ts'
import { findExcess } from './find-excess.ts'
import type { Placed } from './find-excess.ts'

/** The breaks for callers who rely on the released contract when they get the current one; empty if nothing breaks. */
export function findBreakingChanges(released: Contract, current: Contract): string[] {
  return Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      if (before === undefined) return []
      const after = Object.entries(current.paths[path] ?? {}).find(([name]) => name === method)?.[1]
      const name = `${method.toUpperCase()} ${path}`
      if (after === undefined) return [`${name} is gone`]
      return [
        ...compareNames(before, after),
        ...compareSecurity(before, after),
        ...compareParameters(released, before, current, after),
        ...compareBodies(released, before, current, after),
        ...compareAnswers(released, before, current, after),
      ].map((problem) => `${name}: ${problem}`)
    }),
  )
}

/** Generated clients have methods of these names. */
function compareNames(before: ContractOperation, after: ContractOperation): string[] {
  return before.operationId === after.operationId ? [] : [`it is not called ${before.operationId} any more`]
}

/** Each way to authenticate has to remain; others may be added. Without any, everybody may call. */
function compareSecurity(before: ContractOperation, after: ContractOperation): string[] {
  const ways = new Set(after.security.map((way) => JSON.stringify(way)))
  const goOn = before.security.length > 0 && before.security.every((way) => ways.has(JSON.stringify(way)))
  return ways.size === 0 || goOn ? [] : ['who may call it has changed']
}

function compareParameters(
  released: Contract,
  before: ContractOperation,
  current: Contract,
  after: ContractOperation,
): string[] {
  const find = ({ parameters = [] }: ContractOperation, wanted: { name: string; in: string }) =>
    parameters.find((one) => one.name === wanted.name && one.in === wanted.in)
  const kept = (before.parameters ?? []).flatMap((parameter) => {
    const other = find(after, parameter)
    if (other === undefined) return [`the parameter ${parameter.name} is gone`]
    return findExcess(placed(released, parameter), placed(current, other), parameter.name, 'request')
  })
  const demanded = (after.parameters ?? []).filter(
    (one) => one.required && find(before, one)?.required !== true,
  )
  return [...kept, ...demanded.map(({ name }) => `the parameter ${name} is now required`)]
}

function compareBodies(
  released: Contract,
  before: ContractOperation,
  current: Contract,
  after: ContractOperation,
): string[] {
  const demanded =
    after.requestBody?.required === true && before.requestBody?.required !== true
      ? ['a body is now required']
      : []
  const [old, now] = [before, after].map(({ requestBody }) => requestBody?.content['application/json'])
  if (old === undefined) return demanded
  if (now === undefined) return ['it takes no body any more']
  return [...demanded, ...findExcess(placed(released, old), placed(current, now), 'body', 'request')]
}

function compareAnswers(
  released: Contract,
  before: ContractOperation,
  current: Contract,
  after: ContractOperation,
): string[] {
  return Object.keys(before.responses).flatMap((status) => {
    const [old, now] = [findAnswer(released, before, status), findAnswer(current, after, status)]
    if (old === undefined) throw new Error(`the released contract has no answer ${status}`)
    if (now === undefined) return [`the status ${status} is gone`]
    const headers = Object.keys(old.headers).filter((name) => !(name in now.headers))
    const bodies = Object.entries(old.content ?? {}).flatMap(([type, media]) => {
      const other = now.content?.[type]
      if (other === undefined) return [`the body of ${status} is no ${type} any more`]
      return findExcess(placed(current, other), placed(released, media), `the body of ${status}`, 'answer')
    })
    return [...headers.map((name) => `the header ${name} of ${status} is gone`), ...bodies]
  })
}

function findAnswer(
  document: Contract,
  operation: ContractOperation,
  status: string,
): ContractAnswer | undefined {
  const response = operation.responses[status]
  if (response === undefined || !('$ref' in response)) return response
  return document.components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)]
}

function placed({ components }: Contract, { schema }: { schema: JsonSchema }): Placed {
  return { schema, schemas: components.schemas }
}
