import { input as shipmentUpdate } from '../../endpoints/partners-fulfilment.ts'
import { notMigratedMessage } from '../../../core/platform/readiness.ts'
import type { Descriptions } from '../description.ts'
import { object, oneOf, string } from '../../../core/shape/json-schema.ts'
import { said } from '../../../core/shape/shape.ts'

const availability = oneOf(['ok', 'unavailable'])

export const partnerDescriptions = {
  'POST /partners/fulfilment/:casino_id': {
    operationId: 'reportShipment',
    tag: 'Partners',
    summary: 'Send a shipment update',
    description:
      'For the casino’s fulfilment provider, signed as [Standard Webhooks](https://www.standardwebhooks.com) says with the secret of the setting `fulfilment`.',
    body: shipmentUpdate,
    answers: {
      200: {
        description: 'The shipment update is stored.',
        schema: object({ status: said(oneOf(['success']), { description: 'The outcome.' }) }),
      },
    },
    errors: ['order_unknown'],
  },
} as const satisfies Descriptions

export const openDescriptions = {
  'GET /healthz': {
    operationId: 'checkHealth',
    tag: 'Service',
    summary: 'Check that the process answers',
    description: 'For liveness probes. Nothing outside the process is checked.',
    answers: {
      200: {
        description: 'The process answers.',
        schema: object({ status: said(oneOf(['ok']), { description: 'The outcome.' }) }),
      },
    },
    errors: [],
  },
  'GET /readyz': {
    operationId: 'checkReadiness',
    tag: 'Service',
    summary: 'Check that the process is ready',
    description: 'For readiness probes. The database and the queues are checked.',
    answers: {
      200: { description: 'The process is ready.', schema: readiness('ok') },
      503: {
        description:
          'Send no requests to the process. `database` is `unavailable`, or `clock` is `off`, or the process is stopping. There is no `X-Error-Code`.',
        schema: readiness('error'),
      },
    },
    errors: [],
  },
  'GET /metrics': {
    operationId: 'getMetrics',
    tag: 'Service',
    summary: 'Read the metrics',
    description: 'For Prometheus.',
    answers: {
      200: {
        description: 'The metrics.',
        schema: string,
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      },
    },
    errors: [],
  },
  'GET /.well-known/security.txt': {
    operationId: 'getSecurityContact',
    tag: 'Service',
    summary: 'Show where to report a vulnerability',
    description: 'Shows the contact of the service’s operator, if one is configured.',
    answers: {
      200: {
        description: 'A contact, as [RFC 9116](https://www.rfc-editor.org/rfc/rfc9116) says.',
        schema: string,
        contentType: 'text/plain; charset=utf-8',
      },
    },
    errors: ['route_unknown'],
  },
  'GET /verify': {
    operationId: 'getVerificationPage',
    tag: 'Fairness',
    summary: 'The page where players check openings',
    description:
      'For players: a page that checks the evidence of openings in the browser. It needs no key and, once loaded, no network.',
    headers: ['If-None-Match'],
    answers: file('A page.', 'text/html; charset=utf-8'),
    errors: [],
  },
  'GET /verify/page.js': {
    operationId: 'getVerificationScript',
    tag: 'Fairness',
    summary: 'The script of the verification page',
    description: 'The program that checks openings.',
    headers: ['If-None-Match'],
    answers: file('A script.', 'text/javascript; charset=utf-8'),
    errors: [],
  },
  'GET /verify/page.css': {
    operationId: 'getVerificationStyle',
    tag: 'Fairness',
    summary: 'The style of the verification page',
    description: 'Its style sheet.',
    headers: ['If-None-Match'],
    answers: file('A style sheet.', 'text/css; charset=utf-8'),
    errors: [],
  },
  'GET /openapi.json': {
    operationId: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'Read this document',
    description: 'For generators, API gateways and test tools.',
    headers: ['If-None-Match'],
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: { type: 'object', additionalProperties: true },
        headers: ['ETag', 'Cache-Control'],
      },
      304: { description: 'Not modified since the caller’s copy.', headers: ['ETag', 'Cache-Control'] },
    },
    errors: [],
  },
  'GET /': {
    operationId: 'redirectToDocumentation',
    tag: 'Service',
    summary: 'Redirect to the documentation page',
    description: 'For people who open the service’s address in a browser.',
    answers: { 302: { description: 'Redirects to `/docs`.', headers: ['Location'] } },
    errors: [],
  },
  'GET /docs': {
    operationId: 'getDocumentationPage',
    tag: 'Service',
    summary: 'Show the documentation page',
    description: 'This document as a page with search. It loads nothing from other hosts.',
    headers: ['If-None-Match'],
    answers: file('A page.', 'text/html; charset=utf-8'),
    errors: [],
  },
  'GET /docs/viewer.js': {
    operationId: 'getDocumentationScript',
    tag: 'Service',
    summary: 'Load the script of the documentation page',
    description: 'Swagger UI.',
    headers: ['If-None-Match'],
    answers: file('A script.', 'text/javascript; charset=utf-8'),
    errors: [],
  },
  'GET /docs/viewer.css': {
    operationId: 'getDocumentationStyle',
    tag: 'Service',
    summary: 'Load the style sheet of the documentation page',
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
      status: said(oneOf([status]), { description: 'The outcome.' }),
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
        description: 'A remedy, if one is known.',
        examples: [notMigratedMessage],
      },
    },
  )
}

function file(description: string, contentType: string) {
  const headers = ['ETag', 'Cache-Control'] as const
  return {
    200: { description, schema: string, contentType, headers },
    304: { description: 'Not modified since the caller’s copy.', headers },
  }
}
