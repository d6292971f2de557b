import { input as shipmentNews } from '../../endpoints/partners-fulfilment.ts'
import { notMigratedMessage } from '../../../core/platform/readiness.ts'
import type { Descriptions } from '../description.ts'
import { object, oneOf, string } from '../../../core/shape/json-schema.ts'
import { said } from '../../../core/shape/shape.ts'

const availability = oneOf(['ok', 'unavailable'])

export const partnerDescriptions = {
  'POST /partners/fulfilment/:casino_id': {
    operationId: 'reportShipment',
    tag: 'Partners',
    summary: 'Tell where a parcel is',
    description:
      'For the casino’s fulfilment provider, signed as [Standard Webhooks](https://www.standardwebhooks.com) says with the secret of the setting `fulfilment`.',
    body: shipmentNews,
    answers: {
      200: {
        description: 'The shipment update is stored.',
        schema: object({ status: said(oneOf(['success']), { description: 'How it ended.' }) }),
      },
    },
    errors: ['order_unknown'],
  },
} as const satisfies Descriptions

export const openDescriptions = {
  'GET /healthz': {
    operationId: 'checkHealth',
    tag: 'Service',
    summary: 'Whether the process answers',
    description: 'For liveness probes: it looks at nothing outside the process.',
    answers: {
      200: {
        description: 'It does.',
        schema: object({ status: said(oneOf(['ok']), { description: 'How it ended.' }) }),
      },
    },
    errors: [],
  },
  'GET /readyz': {
    operationId: 'checkReadiness',
    tag: 'Service',
    summary: 'Whether the process can do its work',
    description: 'For readiness probes: it looks at the database and the queue.',
    answers: {
      200: { description: 'It can.', schema: readiness('ok') },
      503: {
        description:
          'Service Unavailable: send it nothing. `database` is `unavailable`, or `clock` is `off`, or the process is stopping. There is no `X-Error-Code`.',
        schema: readiness('error'),
      },
    },
    errors: [],
  },
  'GET /metrics': {
    operationId: 'getMetrics',
    tag: 'Service',
    summary: 'Metrics',
    description: 'What Prometheus scrapes.',
    answers: {
      200: {
        description: 'For Prometheus.',
        schema: string,
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      },
    },
    errors: [],
  },
  'GET /.well-known/security.txt': {
    operationId: 'getSecurityContact',
    tag: 'Service',
    summary: 'Where to report a weakness',
    description: 'The contact of those who run the service, if they have named one.',
    answers: {
      200: {
        description: 'A contact, as [RFC 9116](https://www.rfc-editor.org/rfc/rfc9116) says.',
        schema: string,
        contentType: 'text/plain; charset=utf-8',
      },
    },
    errors: ['route_unknown'],
  },
  'GET /openapi.json': {
    operationId: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'This document',
    description: 'For programs: generators, API gateways, test tools.',
    headers: ['If-None-Match'],
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: { type: 'object', additionalProperties: true },
        headers: ['ETag', 'Cache-Control'],
      },
      304: { description: 'As it was: the caller has it already.', headers: ['ETag', 'Cache-Control'] },
    },
    errors: [],
  },
  'GET /': {
    operationId: 'redirectToDocumentation',
    tag: 'Service',
    summary: 'Go to the documentation page',
    description: 'For people who open the service’s address in a browser.',
    answers: { 302: { description: 'Go to `/docs`.', headers: ['Location'] } },
    errors: [],
  },
  'GET /docs': {
    operationId: 'getDocumentationPage',
    tag: 'Service',
    summary: 'This document, to be read',
    description: 'For people: a page with search. Everything it loads is served here.',
    headers: ['If-None-Match'],
    answers: file('A page.', 'text/html; charset=utf-8'),
    errors: [],
  },
  'GET /docs/viewer.js': {
    operationId: 'getDocumentationScript',
    tag: 'Service',
    summary: 'What the documentation page runs',
    description: 'Swagger UI and the call that starts it.',
    headers: ['If-None-Match'],
    answers: file('A script.', 'text/javascript; charset=utf-8'),
    errors: [],
  },
  'GET /docs/viewer.css': {
    operationId: 'getDocumentationStyle',
    tag: 'Service',
    summary: 'How the documentation page looks',
    description: 'Swagger UI’s style sheet.',
    headers: ['If-None-Match'],
    answers: file('A style sheet.', 'text/css; charset=utf-8'),
    errors: [],
  },
} as const satisfies Descriptions

function readiness(status: 'ok' | 'error') {
  // The message says what to do, if that is known: for example that the database is not migrated.
  return object(
    {
      status: said(oneOf([status]), { description: 'How it ended.' }),
      database: said(availability, { description: 'Whether the database answers.', example: 'ok' }),
      queue: said(availability, { description: 'Whether the queues can be reached.', example: 'ok' }),
      clock: said(oneOf(['ok', 'off', 'unknown']), {
        description: 'Whether the clock of the process’s machine agrees with the database’s.',
        example: 'ok',
      }),
    },
    {
      message: {
        ...string,
        description: 'What to do, where that is known.',
        examples: [notMigratedMessage],
      },
    },
  )
}

function file(description: string, contentType: string) {
  const headers = ['ETag', 'Cache-Control'] as const
  return {
    200: { description, schema: string, contentType, headers },
    304: { description: 'As it was: the caller has it already.', headers },
  }
}
