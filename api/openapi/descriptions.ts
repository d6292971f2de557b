import { actDescriptions } from './describe/acts.ts'
import { boxDescriptions } from './describe/boxes.ts'
import { cashbackDescriptions } from './describe/cashbacks.ts'
import { casinoDescriptions, serviceAdminDescriptions } from './describe/casinos.ts'
import { catalogueDescriptions } from './describe/catalogue.ts'
import { eventDescriptions } from './describe/events.ts'
import { fairnessDescriptions } from './describe/fairness.ts'
import { operatorDescriptions } from './describe/operators.ts'
import { orderDescriptions } from './describe/orders.ts'
import { overviewDescriptions } from './describe/overview.ts'
import { playDescriptions } from './describe/play.ts'
import { playerDescriptions } from './describe/players.ts'
import { openDescriptions, partnerDescriptions } from './describe/service.ts'
import { webhookDescriptions } from './describe/webhook-endpoints.ts'

const { 'GET /fairness/key': signingKey, ...casinosFairness } = fairnessDescriptions

/** The document's texts about the routes of each kind. Those of one casino are named without its part of the path. */
export const descriptions = {
  casinos: { ...playDescriptions, ...catalogueDescriptions, ...casinosFairness },
  partners: partnerDescriptions,
  admin: { ...operatorDescriptions, ...overviewDescriptions, ...serviceAdminDescriptions },
  casino: {
    ...casinoDescriptions,
    ...boxDescriptions,
    ...playerDescriptions,
    ...orderDescriptions,
    ...cashbackDescriptions,
    ...actDescriptions,
    ...eventDescriptions,
    ...webhookDescriptions,
  },
  anybody: { 'GET /fairness/key': signingKey, ...openDescriptions },
}

/** The paths that are described for a method: a route's path has to be one of them. */
export type PathOf<
  Kind extends keyof typeof descriptions,
  Method extends string,
> = keyof (typeof descriptions)[Kind] extends infer Key
  ? Key extends `${Method} ${infer Path}`
    ? Path
    : never
  : never
