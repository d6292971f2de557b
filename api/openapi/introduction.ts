/** The rules for all of the document; Markdown, as OpenAPI has it. */
export const introduction = `A loyalty and rewards service for casino platforms: reward boxes, prize orders and cashback.

Bodies are JSON objects with \`Content-Type: application/json\`. Parameters that are not documented are ignored, except in the queries of \`GET\` requests below \`/admin\`: these refuse them, and parameters that are sent twice. Texts are trimmed, and their lengths are counted in UTF-16 units; \`null\` and blank text count as absent where a field is optional.

Every error has \`status\` = \`error\` and a \`message\`; \`X-Error-Code\` is the same for programs. A path that does not exist is 404 \`route_unknown\`, another method 405 \`method_not_allowed\` with \`Allow\`. A request that is not valid HTTP, or does not arrive in time, is 400 \`request_malformed\`, 408 \`request_timeout\` or 431 \`headers_too_large\`. \`GET\` routes answer \`HEAD\` too.

The three operations, the catalogue and \`/fairness\` may have another address than everything else: the service's operators say which. A path that belongs to the other one is 404 \`route_unknown\`.

Answers may get more fields, and errors more codes, but for the three operations’ bodies: those have exactly the documented keys. Documented fields and codes are not removed.`
